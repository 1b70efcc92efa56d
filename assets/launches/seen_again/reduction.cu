// Reductions: change of a flow in doubles, limits of channels, light of stars, and how spread out attention is.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// launch residual_norms: --kernel residual_norms --grid 733 --block 1024 --arg f64[3000000]=0.9..1.1 --arg f64[3000000]=0.9..1.1 --arg f32[3000000]=0.5..2 --arg f64[2199] --arg i32:3000000
// Fluid dynamics: how much a time step has changed the density, as a mean, a square and a maximum, weighted by volume.
// A beginner's tree in shared memory: threads whose number is divisible go on.
__global__ void __launch_bounds__(1024) residual_norms(const double* before, const double* after, const float* volumes,
                                                       double* norms, int n) {
    __shared__ double sums[1024];
    __shared__ double squares[1024];
    __shared__ double tops[1024];
    int t = threadIdx.x;
    double sum = 0, square = 0, top = 0;
    for (int k = 0; k < 4; k++) {
        int i = (blockIdx.x * 4 + k) * 1024 + t;
        if (i < n) {
            double change = fabs(after[i] - before[i]);
            sum += change * volumes[i];
            square += change * change * volumes[i];
            top = fmax(top, change);
        }
    }
    sums[t] = sum;
    squares[t] = square;
    tops[t] = top;
    __syncthreads();
    for (int s = 1; s < 1024; s *= 2) {
        if (t % (2 * s) == 0) {
            sums[t] += sums[t + s];
            squares[t] += squares[t + s];
            tops[t] = fmax(tops[t], tops[t + s]);
        }
        __syncthreads();
    }
    if (t == 0) {
        norms[3 * blockIdx.x] = sums[0];
        norms[3 * blockIdx.x + 1] = sqrt(squares[0]);
        norms[3 * blockIdx.x + 2] = tops[0];
    }
}

// launch absmax_of_channels: --kernel absmax_of_channels --grid 64,12 --block 32,8 --arg bf16[25165824]=-4..4 --arg f32[4096] --arg i32:6144 --arg i32:2048 --arg i32:512
// Quantisation: the largest absolute value that each of 4,096 channels had over 6,144 tokens.
// Two channels a thread and eight rows a block at a time; the rest is done in shared memory and by a maximum of bits.
__global__ void __launch_bounds__(256) absmax_of_channels(const __nv_bfloat162* __restrict__ in, float* limits, int tokens,
                                                          int pairs, int rows) {
    __shared__ float2 held[8][32];
    int pair = blockIdx.x * 32 + threadIdx.x, begin = (int)blockIdx.y * rows, end = min(tokens, begin + rows);
    __nv_bfloat162 most = __float2bfloat162_rn(0.0f);
#pragma unroll 4
    for (int row = begin + (int)threadIdx.y; row < end; row += 8) most = __hmax2(most, __habs2(in[row * pairs + pair]));
    held[threadIdx.y][threadIdx.x] = make_float2(__low2float(most), __high2float(most));
    __syncthreads();
    if (threadIdx.y != 0) return;
    float2 best = held[0][threadIdx.x];
#pragma unroll
    for (int k = 1; k < 8; ++k) {
        float2 other = held[k][threadIdx.x];
        best.x = fmaxf(best.x, other.x);
        best.y = fmaxf(best.y, other.y);
    }
    atomicMax((int*)&limits[2 * pair], __float_as_int(best.x));
    atomicMax((int*)&limits[2 * pair + 1], __float_as_int(best.y));
}

// launch star_apertures: --kernel star_apertures --grid 6667 --block 96 --arg f32[4194304]=90..110 --arg f32[40000]=20..2027 --arg f32[20000]=3..6 --arg f32[40000] --arg i32:20000 --arg i32:2048
// Astronomy: the light of 20,000 stars within a circle, less the sky in a ring round it, whose outliers are left out.
// A warp has a star and goes over its square twice; how large it is depends on the star.
__global__ void star_apertures(const float* __restrict__ sky, const float2* __restrict__ stars, const float* __restrict__ radii,
                               float2* __restrict__ out, int n, int side) {
    int star = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (star >= n) return;
    float2 centre = stars[star];
    float radius = radii[star], inner = radius + 3.0f, outer = radius + 7.0f;
    int reach = (int)ceilf(outer), width = 2 * reach + 1;
    int left = (int)centre.x - reach, up = (int)centre.y - reach;
    float light = 0, area = 0, ring = 0, squares = 0, many = 0;
    for (int p = lane; p < width * width; p += 32) {
        int y = up + p / width, x = left + p % width;
        if (x < 0 || y < 0 || x >= side || y >= side) continue;
        float dx = (float)x - centre.x, dy = (float)y - centre.y, far = sqrtf(dx * dx + dy * dy);
        float value = sky[y * side + x];
        if (far < radius) {
            light += value;
            area += 1.0f;
        } else if (far >= inner && far < outer) {
            ring += value;
            squares += value * value;
            many += 1.0f;
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        light += __shfl_xor_sync(~0u, light, step);
        area += __shfl_xor_sync(~0u, area, step);
        ring += __shfl_xor_sync(~0u, ring, step);
        squares += __shfl_xor_sync(~0u, squares, step);
        many += __shfl_xor_sync(~0u, many, step);
    }
    float mean = ring / fmaxf(many, 1.0f);
    float limit = 1.5f * sqrtf(fmaxf(squares / fmaxf(many, 1.0f) - mean * mean, 0.0f));
    ring = 0, many = 0;
    for (int p = lane; p < width * width; p += 32) {
        int y = up + p / width, x = left + p % width;
        if (x < 0 || y < 0 || x >= side || y >= side) continue;
        float dx = (float)x - centre.x, dy = (float)y - centre.y, far = sqrtf(dx * dx + dy * dy);
        if (far < inner || far >= outer) continue;
        float value = sky[y * side + x];
        if (fabsf(value - mean) > limit) continue;
        ring += value;
        many += 1.0f;
    }
    for (int step = 16; step > 0; step /= 2) {
        ring += __shfl_down_sync(~0u, ring, step);
        many += __shfl_down_sync(~0u, many, step);
    }
    if (lane == 0) {
        float level = ring / fmaxf(many, 1.0f), flux = light - level * area;
        out[star] = make_float2(flux, -2.5f * log10f(fmaxf(flux, 1e-3f)));
    }
}

// launch attention_entropy: --kernel attention_entropy --grid 1024 --block 512 --arg f16[16777216]=0..1 --arg f32[32768] --arg i32:16384
// Language models: how spread out the attention of each query is over 1,024 keys, as an entropy, and its largest share.
// Weights are halves that need not sum to one; a warp has a row, eight halves a load.
__global__ void __launch_bounds__(512) attention_entropy(const half* __restrict__ weights, float2* __restrict__ out, int rows) {
    int row = (blockIdx.x * 512 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const uint4* mine = (const uint4*)weights + row * 128;
    float sum = 0, logs = 0, top = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 eight = __ldg(&mine[k * 32 + lane]);
        const half2 twos[4] = {*(const half2*)&eight.x, *(const half2*)&eight.y, *(const half2*)&eight.z,
                               *(const half2*)&eight.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float2 w = __half22float2(twos[j]);
            sum += w.x + w.y;
            logs += w.x * __log2f(fmaxf(w.x, 1e-12f)) + w.y * __log2f(fmaxf(w.y, 1e-12f));
            top = fmaxf(top, fmaxf(w.x, w.y));
        }
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(~0u, sum, step);
        logs += __shfl_xor_sync(~0u, logs, step);
        top = fmaxf(top, __shfl_xor_sync(~0u, top, step));
    }
    if (lane == 0) out[row] = make_float2(__log2f(sum) - logs / sum, top / sum);
}
