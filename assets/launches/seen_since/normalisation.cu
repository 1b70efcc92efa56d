// Normalisation: heads of attention before they are turned, gradients' histograms, loudness of channels, and a sparse softmax.
#include <cuda_fp16.h>

// launch norm_and_rotary: --kernel norm_and_rotary --grid 8192 --block 128 --arg f16[16777216]=-2..2 --arg f32[128]=0.5..1.5 --arg f32[131072]=-1..1 --arg f32[131072]=-1..1 --arg f16[16777216] --arg i32:32
// Language models: each query head of 128 halves is scaled by its root mean square, then turned by its position.
// A warp has four heads one after another; a lane has two pairs that lie 64 apart.
__global__ void norm_and_rotary(const half* __restrict__ in, const float* __restrict__ gain, const float* __restrict__ cosines,
                                const float* __restrict__ sines, half* __restrict__ out, int heads) {
    int lane = threadIdx.x & 31, warp = blockIdx.x * 4 + (threadIdx.x >> 5);
    float2 low_gain = ((const float2*)gain)[lane], high_gain = ((const float2*)gain)[32 + lane];
    for (int k = 0; k < 4; ++k) {
        int row = warp * 4 + k, position = row / heads & 2047;
        const half2* from = (const half2*)(in + (size_t)row * 128);
        half2* to = (half2*)(out + (size_t)row * 128);
        float2 a = __half22float2(from[lane]), b = __half22float2(from[lane + 32]);
        float squares = a.x * a.x + a.y * a.y + b.x * b.x + b.y * b.y;
        for (int step = 16; step > 0; step >>= 1) squares += __shfl_xor_sync(~0u, squares, step);
        float scale = rsqrtf(squares * (1.0f / 128) + 1e-6f);
        a.x *= scale * low_gain.x, a.y *= scale * low_gain.y;
        b.x *= scale * high_gain.x, b.y *= scale * high_gain.y;
        float2 c = ((const float2*)cosines)[position * 32 + lane], s = ((const float2*)sines)[position * 32 + lane];
        to[lane] = __floats2half2_rn(a.x * c.x - b.x * s.x, a.y * c.y - b.y * s.y);
        to[lane + 32] = __floats2half2_rn(b.x * c.x + a.x * s.x, b.y * c.y + a.y * s.y);
    }
}

// launch hog_blocks: --kernel hog_blocks --grid 8,256 --block 64 --arg f32[1186569]=0..20 --arg f32[4718592] --arg i32:513 --arg i32:512
// Detection of people: 2 x 2 cells of nine gradient directions become one vector of 36, normalised, cut off, and again.
// A thread has a block of cells and keeps all of it; its reads lie 36 bytes apart, its stores 144.
__global__ void hog_blocks(const float* __restrict__ cells, float* __restrict__ out, int cells_across, int across) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= across) return;
    float v[36], sum = 0;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
        const float* from = cells + ((y + c / 2) * cells_across + x + c % 2) * 9;
#pragma unroll
        for (int k = 0; k < 9; ++k) {
            v[c * 9 + k] = from[k];
            sum += v[c * 9 + k] * v[c * 9 + k];
        }
    }
    float scale = 1.0f / sqrtf(sum + 0.01f), again = 0;
#pragma unroll
    for (int k = 0; k < 36; ++k) {
        v[k] = fminf(v[k] * scale, 0.2f);
        again += v[k] * v[k];
    }
    scale = 1.0f / sqrtf(again + 0.01f);
    float4* to = (float4*)(out + ((size_t)y * across + x) * 36);
#pragma unroll
    for (int k = 0; k < 9; ++k)
        to[k] = make_float4(v[4 * k] * scale, v[4 * k + 1] * scale, v[4 * k + 2] * scale, v[4 * k + 3] * scale);
}

// launch channel_energy: --kernel channel_energy --grid 160 --block 128 --arg f32[5242880]=0..4 --arg f32[5242880] --arg i32:20480 --arg i32:256 --arg f32:0.04 --arg f32:0.98 --arg f32:2
// Audio: energy of each channel divided by a power of its own smoothed past, so that loud and faint rooms sound alike.
// A thread has a channel and goes through 256 moments.
__global__ void channel_energy(const float* __restrict__ energy, float* __restrict__ out, int channels, int moments, float smooth,
                               float alpha, float bias) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float past = energy[c], shift = sqrtf(bias);
    for (int m = 0; m < moments; ++m) {
        float e = energy[(size_t)m * channels + c];
        past += smooth * (e - past);
        float gain = __expf(-alpha * __logf(past + 1e-6f));
        out[(size_t)m * channels + c] = sqrtf(e * gain + bias) - shift;
    }
}

// launch sparsemax_rows: --kernel sparsemax_rows --grid 4096 --block 256 --arg f32[4194304]=-3..3 --arg f32[4194304]
// Attention with true zeros: the projection of each row of 1,024 scores onto the simplex.
// Four scores a thread; the threshold is found by eighteen halvings, each with a sum over the block.
__global__ void sparsemax_rows(const float4* __restrict__ in, float4* __restrict__ out) {
    __shared__ float held[2][8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float4 v = in[blockIdx.x * 256 + t];
    float top = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
    for (int step = 16; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, step));
    if (lane == 0) held[1][warp] = top;
    __syncthreads();
    for (int w = 0; w < 8; ++w) top = fmaxf(top, held[1][w]);
    float low = top - 1, high = top;
    for (int k = 0; k < 18; ++k) {
        float tau = 0.5f * (low + high);
        float sum = fmaxf(v.x - tau, 0.0f) + fmaxf(v.y - tau, 0.0f) + fmaxf(v.z - tau, 0.0f) + fmaxf(v.w - tau, 0.0f);
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
        if (lane == 0) held[k & 1][warp] = sum;
        __syncthreads();
        sum = 0;
        for (int w = 0; w < 8; ++w) sum += held[k & 1][w];
        if (sum > 1) low = tau;
        else high = tau;
    }
    out[blockIdx.x * 256 + t] =
        make_float4(fmaxf(v.x - low, 0.0f), fmaxf(v.y - low, 0.0f), fmaxf(v.z - low, 0.0f), fmaxf(v.w - low, 0.0f));
}
