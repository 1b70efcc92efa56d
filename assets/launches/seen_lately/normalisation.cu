// Normalisation: groups of channels, contrast of X-rays, batches on the way back, and neighbours' weights for a map.
#include <cuda_fp16.h>

// launch groups_of_channels: --kernel groups_of_channels --grid 32,48 --block 256 --arg f16[12582912]=-2..2 --arg f16[256]=0.5..1.5 --arg f16[256]=-1..1 --arg f16[12582912]
// Diffusion models: eight of 256 channels at a time over 32 x 32 pixels are brought to mean nought and deviation one.
// Channels lie innermost: a load is sixteen bytes out of every 512. All of it stays in registers.
__global__ void __launch_bounds__(256) groups_of_channels(const half2* __restrict__ in, const half2* __restrict__ scale,
                                                          const half2* __restrict__ shift, half2* __restrict__ out) {
    __shared__ float2 held[8];
    int t = threadIdx.x, group = blockIdx.x;
    size_t base = (size_t)blockIdx.y * 32768 + group;
    uint4 v[4];
    float sum = 0, squares = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = ((const uint4*)in)[base + (k * 256 + t) * 32];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const half2* h = (const half2*)&v[k];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float2 f = __half22float2(h[j]);
            sum += f.x + f.y;
            squares += f.x * f.x + f.y * f.y;
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(~0u, sum, step);
        squares += __shfl_xor_sync(~0u, squares, step);
    }
    if (t % 32 == 0) held[t / 32] = make_float2(sum, squares);
    __syncthreads();
    sum = squares = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) sum += held[w].x, squares += held[w].y;
    float mean = sum / 8192, factor = rsqrtf(squares / 8192 - mean * mean + 1e-5f);
    half2 g[4], b[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        float2 s = __half22float2(scale[group * 4 + j]), o = __half22float2(shift[group * 4 + j]);
        g[j] = __floats2half2_rn(s.x * factor, s.y * factor);
        b[j] = __floats2half2_rn(o.x - mean * s.x * factor, o.y - mean * s.y * factor);
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        half2* h = (half2*)&v[k];
#pragma unroll
        for (int j = 0; j < 4; ++j) h[j] = __hfma2(h[j], g[j], b[j]);
        ((uint4*)out)[base + (k * 256 + t) * 32] = v[k];
    }
}

// launch equalise_tiles: --kernel equalise_tiles --grid 64,48 --block 256 --arg u8[12582912]=20..200 --arg u8[12582912] --arg i32:4096 --arg u32:24
// X-rays: grey levels of each tile of 64 x 64 pixels are spread evenly, no level steeper than a limit.
// A histogram in shared memory, a scan over its 256 bins, and a look-up for every pixel.
__global__ void __launch_bounds__(256) equalise_tiles(const unsigned char* __restrict__ in, unsigned char* __restrict__ out,
                                                      int width, unsigned limit) {
    __shared__ unsigned bins[256], of_warps[8], cut;
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    bins[t] = 0;
    if (t == 0) cut = 0;
    size_t place = (size_t)(blockIdx.y * 64 + t / 4) * width + blockIdx.x * 64 + t % 4 * 16;
    uint4 v = *(const uint4*)(in + place);
    unsigned words[4] = {v.x, v.y, v.z, v.w};
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&bins[words[k / 4] >> (k % 4 * 8) & 255], 1u);
    __syncthreads();
    unsigned mine = bins[t], over = mine > limit ? mine - limit : 0;
    over = __reduce_add_sync(~0u, over);
    if (lane == 0 && over != 0) atomicAdd(&cut, over);
    __syncthreads();
    mine = min(mine, limit) + cut / 256;
    unsigned sum = mine;
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; ++w) sum += of_warps[w];
    bins[t] = min(sum * 255 / 4096, 255u);
    __syncthreads();
#pragma unroll
    for (int w = 0; w < 4; ++w) {
        unsigned word = 0;
#pragma unroll
        for (int b = 0; b < 4; ++b) word |= bins[words[w] >> (8 * b) & 255] << (8 * b);
        words[w] = word;
    }
    *(uint4*)(out + place) = make_uint4(words[0], words[1], words[2], words[3]);
}

// launch batch_norm_back: --kernel batch_norm_back --grid 256 --block 512 --arg f32[3211264]=-2..2 --arg f32[3211264]=-1..1 --arg f32[256]=-0.1..0.1 --arg f32[256]=0.5..2 --arg f32[256]=0.5..1.5 --arg f32[3211264] --arg f32[512]
// Training: gradients through a batch normalisation of 256 channels in sixteen pictures of 28 x 28 pixels.
// A block has a channel: two sums over it first, then everything is read once more.
__global__ void __launch_bounds__(512) batch_norm_back(const float4* __restrict__ in, const float4* __restrict__ above,
                                                       const float* __restrict__ means, const float* __restrict__ factors,
                                                       const float* __restrict__ scales, float4* __restrict__ below,
                                                       float* __restrict__ gradients) {
    __shared__ float held[2][16];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, channel = blockIdx.x;
    float mean = means[channel], factor = factors[channel], plain = 0, crossed = 0;
    for (int i = t; i < 16 * 196; i += 512) {
        int at = (i / 196 * 256 + channel) * 196 + i % 196;
        float4 x = in[at], g = above[at];
        plain += g.x + g.y + g.z + g.w;
        crossed += g.x * (x.x - mean) + g.y * (x.y - mean) + g.z * (x.z - mean) + g.w * (x.w - mean);
    }
    for (int step = 16; step > 0; step >>= 1) {
        plain += __shfl_down_sync(~0u, plain, step);
        crossed += __shfl_down_sync(~0u, crossed, step);
    }
    if (lane == 0) held[0][warp] = plain, held[1][warp] = crossed;
    __syncthreads();
    plain = crossed = 0;
    for (int w = 0; w < 16; ++w) plain += held[0][w], crossed += held[1][w];
    if (t == 0) gradients[channel] = plain, gradients[256 + channel] = crossed * factor;
    float a = scales[channel] * factor, b = plain / 12544, c = crossed * factor * factor / 12544;
    for (int i = t; i < 16 * 196; i += 512) {
        int at = (i / 196 * 256 + channel) * 196 + i % 196;
        float4 x = in[at], g = above[at];
        g.x = a * (g.x - b - (x.x - mean) * c);
        g.y = a * (g.y - b - (x.y - mean) * c);
        g.z = a * (g.z - b - (x.z - mean) * c);
        g.w = a * (g.w - b - (x.w - mean) * c);
        below[at] = g;
    }
}

// launch even_perplexity: --kernel even_perplexity --grid 8192 --block 128 --arg f32[3145728]=0..9 --arg f32[3145728] --arg f32[32768] --arg f32:3.4
// Maps of cells by their genes: the width of each point's bell is sought until its 96 neighbours' weights have a given entropy.
// A warp has a point, three neighbours a lane; the search ends when it is near enough.
__global__ void even_perplexity(const float* __restrict__ distances, float* __restrict__ weights, float* __restrict__ widths,
                                float wanted) {
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float* from = distances + (size_t)row * 96 + lane;
    float a = from[0], b = from[32], c = from[64], low = 0, high = 1e30f, beta = 1, inverse = 1;
    float least = fminf(a, fminf(b, c));
    for (int step = 16; step > 0; step >>= 1) least = fminf(least, __shfl_xor_sync(~0u, least, step));
    a -= least, b -= least, c -= least;
    float p = 0, q = 0, r = 0;
    for (int trial = 0; trial < 32; ++trial) {
        p = __expf(-beta * a), q = __expf(-beta * b), r = __expf(-beta * c);
        float sum = p + q + r, mixed = a * p + b * q + c * r;
#pragma unroll
        for (int step = 16; step > 0; step >>= 1) {
            sum += __shfl_xor_sync(~0u, sum, step);
            mixed += __shfl_xor_sync(~0u, mixed, step);
        }
        inverse = 1 / sum;
        float off = __logf(sum) + beta * mixed * inverse - wanted;
        if (fabsf(off) < 1e-4f) break;
        if (off > 0) {
            low = beta;
            beta = high > 1e29f ? beta * 2 : (beta + high) * 0.5f;
        } else {
            high = beta;
            beta = (beta + low) * 0.5f;
        }
    }
    float* to = weights + (size_t)row * 96 + lane;
    to[0] = p * inverse, to[32] = q * inverse, to[64] = r * inverse;
    if (lane == 0) widths[row] = beta;
}
