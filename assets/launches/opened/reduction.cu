// Reductions: in one launch to the end, of bytes, of rows of different lengths, and of many small planes.
#include <cuda_fp16.h>

// launch sum_last_block: --kernel sum_last_block --grid 2112 --block 128 --arg f32[33554432]=0..1 --arg f32[2112] --arg u32[1]=0 --arg f32[1] --arg i32:8388608
// The block that is the last to finish adds up what the others have left.
__global__ void sum_last_block(const float4* __restrict__ in, float* partial, unsigned* finished, float* total, int n) {
    __shared__ float held[4];
    __shared__ bool last;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        float4 x = in[i];
        sum += (x.x + x.y) + (x.z + x.w);
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) held[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = held[0] + held[1] + held[2] + held[3];
        __threadfence();
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += 128) sum += *(volatile float*)&partial[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) held[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) *total = held[0] + held[1] + held[2] + held[3];
}

// launch image_moments: --kernel image_moments --grid 528 --block 512 --arg u8[67108864]=0..255 --arg u64[2]=0 --arg i32:4194304
// Sum and sum of squares of bytes, sixteen a load, by products of four bytes and sums over the warp.
__global__ void image_moments(const unsigned char* __restrict__ in, unsigned long long* totals, int n) {
    unsigned sum = 0, squares = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 x = ((const uint4*)in)[i];
        unsigned words[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            sum = __dp4a(words[k], 0x01010101u, sum);
            squares = __dp4a(words[k], words[k], squares);
        }
    }
    sum = __reduce_add_sync(~0u, sum);
    squares = __reduce_add_sync(~0u, squares);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&totals[0], (unsigned long long)sum);
        atomicAdd(&totals[1], (unsigned long long)squares);
    }
}

// launch ragged_means: --kernel ragged_means --grid 16384 --block 64 --arg f16[33554432]=-1..1 --arg i32[16384]=0..2048 --arg f32[16384]
// Rows of up to 2,048 halves; how many count is read for each.
__global__ void ragged_means(const half* __restrict__ in, const int* __restrict__ lengths, float* means) {
    __shared__ float other;
    int length = lengths[blockIdx.x], lane = threadIdx.x % 32;
    if (length == 0) {
        if (threadIdx.x == 0) means[blockIdx.x] = 0;
        return;
    }
    const half2* row = (const half2*)(in + blockIdx.x * 2048);
    float sum = 0;
    for (int i = threadIdx.x; i < length / 2; i += 64) {
        float2 x = __half22float2(row[i]);
        sum += x.x + x.y;
    }
    if (length % 2 != 0 && threadIdx.x == 0) sum += __half2float(in[blockIdx.x * 2048 + length - 1]);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x == 32) other = sum;
    __syncthreads();
    if (threadIdx.x == 0) means[blockIdx.x] = (sum + other) / length;
}

// launch pool_planes: --kernel pool_planes --grid 32768 --block 256 --arg f16[12845056]=-1..1 --arg f16[262144] --arg i32:49
// Mean and maximum of planes of 7 x 7: 49 halves a warp, the second load in half of the lanes.
__global__ void pool_planes(const half* __restrict__ in, half* __restrict__ out, int size) {
    int plane = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0, most = -1e30f;
    for (int i = lane; i < size; i += 32) {
        float x = __half2float(in[plane * size + i]);
        sum += x;
        most = fmaxf(most, x);
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(~0u, sum, step);
        most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    }
    if (lane == 0) out[plane] = __float2half(0.5f * (sum / size + most));
}
