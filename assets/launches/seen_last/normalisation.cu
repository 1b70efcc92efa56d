// Normalisation: rows to length one, a batch's statistics applied with a residual, sliding windows, and cross entropy.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// launch unit_embeddings: --kernel unit_embeddings --grid 3000 --block 256 --arg bf16[18432000]=-1..1 --arg bf16[18432000]
// Embeddings of 768 numbers to length one, before a search by cosine; a warp has a row in registers.
__global__ void unit_embeddings(const __nv_bfloat16* __restrict__ in, __nv_bfloat16* __restrict__ out) {
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    const uint4* from = (const uint4*)(in + (size_t)row * 768);
    uint4* to = (uint4*)(out + (size_t)row * 768);
    unsigned words[12];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        uint4 four = from[k * 32 + lane];
        words[k * 4] = four.x, words[k * 4 + 1] = four.y, words[k * 4 + 2] = four.z, words[k * 4 + 3] = four.w;
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 12; ++k) {
        float low = __uint_as_float(words[k] << 16), high = __uint_as_float(words[k] & 0xffff0000u);
        sum += low * low + high * high;
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    float scale = rsqrtf(fmaxf(sum, 1e-12f));
#pragma unroll
    for (int k = 0; k < 12; ++k) {
        float low = __uint_as_float(words[k] << 16), high = __uint_as_float(words[k] & 0xffff0000u);
        __nv_bfloat162 two = __floats2bfloat162_rn(low * scale, high * scale);
        words[k] = *(unsigned*)&two;
    }
#pragma unroll
    for (int k = 0; k < 3; ++k)
        to[k * 32 + lane] = make_uint4(words[k * 4], words[k * 4 + 1], words[k * 4 + 2], words[k * 4 + 3]);
}

// launch batch_norm_residual: --kernel batch_norm_residual --grid 784 --block 128 --arg f16[6422528]=-2..2 --arg f16[6422528]=-1..1 --arg f16[6422528] --arg f32[256]=-0.5..0.5 --arg f32[256]=0.5..2 --arg f32[256]=0.5..1.5 --arg f32[256]=-1..1 --arg i32:802816
// A residual network's layer in use: known means and variances per channel, then the shortcut, then nothing below nought.
// Channels lie innermost; a thread always has the same eight of 256.
__global__ void batch_norm_residual(const half* __restrict__ in, const half* __restrict__ shortcut, half* __restrict__ out,
                                    const float* __restrict__ mean, const float* __restrict__ variance,
                                    const float* __restrict__ gamma, const float* __restrict__ beta, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, channel = i % 32 * 8;
    float scale[8], shift[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        scale[k] = gamma[channel + k] * rsqrtf(variance[channel + k] + 1e-5f);
        shift[k] = beta[channel + k] - mean[channel + k] * scale[k];
    }
    for (; i < n; i += gridDim.x * blockDim.x) {
        uint4 a = ((const uint4*)in)[i], b = ((const uint4*)shortcut)[i], c;
        const half2 *x = (const half2*)&a, *y = (const half2*)&b;
        half2* z = (half2*)&c;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 p = __half22float2(x[k]), q = __half22float2(y[k]);
            z[k] = __floats2half2_rn(fmaxf(p.x * scale[2 * k] + shift[2 * k] + q.x, 0.0f),
                                     fmaxf(p.y * scale[2 * k + 1] + shift[2 * k + 1] + q.y, 0.0f));
        }
        ((uint4*)out)[i] = c;
    }
}

// launch sliding_zscores: --kernel sliding_zscores --grid 4000 --block 256 --arg f32[1024047]=-5..5 --arg f32[1024000] --arg f32[1024000]
// Time series: mean and inverse deviation of each window of 48 samples, as a matrix profile needs them.
// Naive: each thread sums its whole window out of shared memory.
__global__ void sliding_zscores(const float* __restrict__ series, float* __restrict__ means, float* __restrict__ inverses) {
    __shared__ float held[256 + 47];
    int t = threadIdx.x, first = blockIdx.x * 256;
    for (int i = t; i < 256 + 47; i += 256) held[i] = series[first + i];
    __syncthreads();
    float sum = 0;
#pragma unroll 12
    for (int k = 0; k < 48; ++k) sum += held[t + k];
    float mean = sum * (1.0f / 48), squares = 0;
#pragma unroll 12
    for (int k = 0; k < 48; ++k) {
        float d = held[t + k] - mean;
        squares += d * d;
    }
    means[first + t] = mean;
    inverses[first + t] = 1.0f / sqrtf(squares * (1.0f / 48) + 1e-9f);
}

// launch cross_entropy_gradient: --kernel cross_entropy_gradient --grid 420 --block 512 --arg f32[13440000]=-4..4 --arg i32[420]=0..31999 --arg f32[13440000] --arg f32[420] --arg f32:0.01
// Language models: loss and gradient over 32,000 logits a row; a block has a row.
// The first pass keeps maximum and sum together; the second reads the logits again.
__global__ void __launch_bounds__(512) cross_entropy_gradient(const float4* __restrict__ logits, const int* __restrict__ labels,
                                                              float4* __restrict__ gradient, float* __restrict__ losses,
                                                              float weight) {
    __shared__ float tops[16], sums[16];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const float4* row = logits + (size_t)blockIdx.x * 8000;
    float top = -1e30f, sum = 0;
    for (int i = t; i < 8000; i += 512) {
        float4 v = row[i];
        float high = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
        if (high > top) {
            sum *= __expf(top - high);
            top = high;
        }
        sum += __expf(v.x - top) + __expf(v.y - top) + __expf(v.z - top) + __expf(v.w - top);
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_xor_sync(~0u, top, step), its = __shfl_xor_sync(~0u, sum, step), high = fmaxf(top, other);
        sum = sum * __expf(top - high) + its * __expf(other - high);
        top = high;
    }
    if (lane == 0) tops[warp] = top, sums[warp] = sum;
    __syncthreads();
    top = tops[lane % 16], sum = sums[lane % 16];
#pragma unroll
    for (int step = 8; step > 0; step /= 2) {
        float other = __shfl_xor_sync(~0u, top, step), its = __shfl_xor_sync(~0u, sum, step), high = fmaxf(top, other);
        sum = sum * __expf(top - high) + its * __expf(other - high);
        top = high;
    }
    int label = labels[blockIdx.x];
    float scale = weight / sum;
    for (int i = t; i < 8000; i += 512) {
        float4 v = row[i];
        v.x = __expf(v.x - top) * scale - (label == 4 * i ? weight : 0.0f);
        v.y = __expf(v.y - top) * scale - (label == 4 * i + 1 ? weight : 0.0f);
        v.z = __expf(v.z - top) * scale - (label == 4 * i + 2 ? weight : 0.0f);
        v.w = __expf(v.w - top) * scale - (label == 4 * i + 3 ? weight : 0.0f);
        gradient[(size_t)blockIdx.x * 8000 + i] = v;
    }
    if (t == 0) losses[blockIdx.x] = top + __logf(sum) - ((const float*)row)[label];
}
