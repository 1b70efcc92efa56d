// Normalisations: a row is read, added up, and read or held again to be scaled.
#include <cuda_fp16.h>

__device__ float sum_of_warp(float sum) {
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    return sum;
}
__device__ float most_of_warp(float most) {
    for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    return most;
}
// Of a block of 256 threads; everybody gets it.
template <bool SUM>
__device__ float of_block(float value, float* held) {
    value = SUM ? sum_of_warp(value) : most_of_warp(value);
    __syncthreads();
    if (threadIdx.x % 32 == 0) held[threadIdx.x / 32] = value;
    __syncthreads();
    value = held[threadIdx.x % 8];
    for (int step = 4; step > 0; step /= 2) {
        float other = __shfl_xor_sync(~0u, value, step);
        value = SUM ? value + other : fmaxf(value, other);
    }
    return value;
}

// launch softmax_three_passes: --kernel softmax_three_passes --grid 8192 --block 256 --arg f32[16777216]=-4..4 --arg f32[16777216] --arg i32:2048
__global__ void softmax_three_passes(const float* in, float* out, int cols) {
    __shared__ float held[8];
    const float* row = in + blockIdx.x * cols;
    float most = -3e38f, sum = 0;
    for (int i = threadIdx.x; i < cols; i += 256) most = fmaxf(most, row[i]);
    most = of_block<false>(most, held);
    for (int i = threadIdx.x; i < cols; i += 256) sum += __expf(row[i] - most);
    sum = of_block<true>(sum, held);
    for (int i = threadIdx.x; i < cols; i += 256) out[blockIdx.x * cols + i] = __expf(row[i] - most) / sum;
}

// launch softmax_of_warps: --kernel softmax_of_warps --grid 8192 --block 256 --arg f32[16777216]=-4..4 --arg f32[16777216]
// 256 columns a row, eight a lane, held in registers.
__global__ void softmax_of_warps(const float* in, float* out) {
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float held[8], most = -3e38f, sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) most = fmaxf(most, held[k] = in[row * 256 + 32 * k + lane]);
    most = most_of_warp(most);
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += held[k] = __expf(held[k] - most);
    sum = 1 / sum_of_warp(sum);
#pragma unroll
    for (int k = 0; k < 8; ++k) out[row * 256 + 32 * k + lane] = held[k] * sum;
}

// launch softmax_online: --kernel softmax_online --grid 4096 --block 256 --arg f32[16777216]=-4..4 --arg f32[16777216] --arg i32:4096
// Maximum and sum in one pass: a chain of two exponentials from word to word.
__global__ void softmax_online(const float* in, float* out, int cols) {
    __shared__ float held[8];
    const float* row = in + blockIdx.x * cols;
    float most = -3e38f, sum = 0;
    for (int i = threadIdx.x; i < cols; i += 256) {
        float next = fmaxf(most, row[i]);
        sum = sum * __expf(most - next) + __expf(row[i] - next);
        most = next;
    }
    float all = of_block<false>(most, held);
    sum = of_block<true>(sum * __expf(most - all), held);
    for (int i = threadIdx.x; i < cols; i += 256) out[blockIdx.x * cols + i] = __expf(row[i] - all) / sum;
}

// launch layer_norm_half: --kernel layer_norm_half --grid 16384 --block 256 --arg f16[16777216]=-1..1 --arg f16[1024]=-1..1 --arg f16[1024]=-1..1 --arg f16[16777216]
__global__ void layer_norm_half(const half* in, const half* scale, const half* shift, half* out) {
    __shared__ float held[8];
    float v[4], sum = 0, squares = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += v[k] = __half2float(in[blockIdx.x * 1024 + 256 * k + threadIdx.x]);
    float mean = of_block<true>(sum, held) / 1024;
#pragma unroll
    for (int k = 0; k < 4; ++k) squares += (v[k] - mean) * (v[k] - mean);
    float factor = rsqrtf(of_block<true>(squares, held) / 1024 + 1e-5f);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int i = 256 * k + threadIdx.x;
        float y = (v[k] - mean) * factor * __half2float(scale[i]) + __half2float(shift[i]);
        out[blockIdx.x * 1024 + i] = __float2half(y);
    }
}

// launch rms_norm: --kernel rms_norm --grid 8192 --block 256 --arg f32[33554432]=-1..1 --arg f32[4096]=-1..1 --arg f32[33554432]
__global__ void rms_norm(const float4* in, const float4* scale, float4* out) {
    __shared__ float held[8];
    float4 v[4];
    float squares = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k] = in[blockIdx.x * 1024 + 256 * k + threadIdx.x];
        squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    float factor = rsqrtf(of_block<true>(squares, held) / 4096 + 1e-6f);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float4 s = scale[256 * k + threadIdx.x];
        out[blockIdx.x * 1024 + 256 * k + threadIdx.x] =
            make_float4(v[k].x * factor * s.x, v[k].y * factor * s.y, v[k].z * factor * s.z, v[k].w * factor * s.w);
    }
}

// launch channel_statistics: --kernel channel_statistics --grid 256 --block 256 --arg f32[16777216]=-1..1 --arg f32[256] --arg f32[256] --arg i32:4096
// Of 256 channels in 16 pictures of 4,096 words: a block goes through its channel picture by picture.
__global__ void channel_statistics(const float* in, float* means, float* deviations, int plane) {
    __shared__ float held[8];
    float sum = 0, squares = 0;
    for (int picture = 0; picture < 16; ++picture)
        for (int i = threadIdx.x; i < plane; i += 256) {
            float v = in[(picture * gridDim.x + blockIdx.x) * plane + i];
            sum += v;
            squares += v * v;
        }
    float all = 16.0f * plane, mean = of_block<true>(sum, held) / all;
    float deviation = sqrtf(of_block<true>(squares, held) / all - mean * mean);
    if (threadIdx.x == 0) means[blockIdx.x] = mean, deviations[blockIdx.x] = deviation;
}

// launch scale_columns: --kernel scale_columns --grid 4096 --block 256 --arg f32[16777216] --arg f32[1024]=0..1 --arg f32[1024]=0..1 --arg f32[16777216] --arg i32:1024
__global__ void scale_columns(const float* in, const float* mean, const float* factor, float* out, int cols) {
    for (int k = 0; k < 16; ++k) {
        int i = (blockIdx.x * 16 + k) * 256 + threadIdx.x;
        out[i] = (in[i] - mean[i % cols]) * factor[i % cols];
    }
}
