// Normalisation: what a row needs to know of itself, forwards and backwards, masked, and held in shared memory.
#include <cuda_bf16.h>

__device__ float sum_of_warp(float x) {
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

// launch classifier: --kernel classifier --grid 512 --block 1024 --arg bf16[25755648]=-4..4 --arg i32[512]=0..50256 --arg f32[512] --arg i32:50304
// Softmax over a vocabulary, the loss, and the gradient in the place of the scores.
__global__ void __launch_bounds__(1024) classifier(__nv_bfloat16* scores, const int* targets, float* losses, int cols) {
    __shared__ float mosts[32], totals[32];
    uint4* row = (uint4*)(scores + (size_t)blockIdx.x * cols);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, vectors = cols / 8, target = targets[blockIdx.x];
    float most = -1e30f, total = 0;
    for (int i = threadIdx.x; i < vectors; i += 1024) {
        uint4 vector = row[i];
        const __nv_bfloat162* pairs = (const __nv_bfloat162*)&vector;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 x = __bfloat1622float2(pairs[k]);
            float larger = fmaxf(most, fmaxf(x.x, x.y));
            total = total * __expf(most - larger) + __expf(x.x - larger) + __expf(x.y - larger);
            most = larger;
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_xor_sync(~0u, most, step), larger = fmaxf(most, other);
        float sum = __shfl_xor_sync(~0u, total, step);
        total = total * __expf(most - larger) + sum * __expf(other - larger);
        most = larger;
    }
    if (lane == 0) mosts[warp] = most, totals[warp] = total;
    __syncthreads();
    most = mosts[lane];
    total = totals[lane];
    float largest = most;
    for (int step = 16; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
    total = sum_of_warp(total * __expf(most - largest));
    if (threadIdx.x == 0)
        losses[blockIdx.x] = largest + __logf(total) - __bfloat162float(scores[(size_t)blockIdx.x * cols + target]);
    __syncthreads();
    float factor = 1 / total;
    for (int i = threadIdx.x; i < vectors; i += 1024) {
        uint4 vector = row[i];
        __nv_bfloat162* pairs = (__nv_bfloat162*)&vector;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 x = __bfloat1622float2(pairs[k]);
            int col = i * 8 + 2 * k;
            x.x = __expf(x.x - largest) * factor - (col == target);
            x.y = __expf(x.y - largest) * factor - (col + 1 == target);
            pairs[k] = __float22bfloat162_rn(x);
        }
        row[i] = vector;
    }
}

// launch layer_norm_backward: --kernel layer_norm_backward --grid 264 --block 512 --arg f32[12582912]=-1..1 --arg f32[12582912]=-1..1 --arg f32[768]=0..1 --arg f32[16384]=-0.1..0.1 --arg f32[16384]=1..2 --arg f32[12582912] --arg f32[1536]=0 --arg i32:16384
// 768 columns, a warp a row; the gradients of scale and shift are gathered in shared memory.
__global__ void __launch_bounds__(512) layer_norm_backward(const float* __restrict__ in, const float* __restrict__ upper,
                                                           const float* __restrict__ scale,
                                                           const float* __restrict__ means,
                                                           const float* __restrict__ inverses, float* lower,
                                                           float* of_parameters, int rows) {
    __shared__ float held[1536];
    for (int i = threadIdx.x; i < 1536; i += 512) held[i] = 0;
    __syncthreads();
    int lane = threadIdx.x % 32;
    for (int row = blockIdx.x * 16 + threadIdx.x / 32; row < rows; row += gridDim.x * 16) {
        float mean = means[row], inverse = inverses[row], sum = 0, product = 0;
        for (int col = lane; col < 768; col += 32) {
            float normal = (in[row * 768 + col] - mean) * inverse, down = scale[col] * upper[row * 768 + col];
            sum += down;
            product += down * normal;
        }
        sum = sum_of_warp(sum) / 768;
        product = sum_of_warp(product) / 768;
        for (int col = lane; col < 768; col += 32) {
            float gradient = upper[row * 768 + col], normal = (in[row * 768 + col] - mean) * inverse;
            atomicAdd(&held[col], gradient * normal);
            atomicAdd(&held[768 + col], gradient);
            lower[row * 768 + col] = (scale[col] * gradient - sum - normal * product) * inverse;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1536; i += 512) atomicAdd(&of_parameters[i], held[i]);
}

// launch instance_norm: --kernel instance_norm --grid 1024 --block 512 --dynamic-shared 65536 --arg f32[16777216]=-1..1 --arg f32[16777216]
// A plane of 128 x 128 stays in shared memory between the mean, the deviation and the result.
__global__ void instance_norm(const float4* __restrict__ in, float4* __restrict__ out) {
    extern __shared__ float4 plane[];
    __shared__ float held[2][16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, base = blockIdx.x * 4096;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < 4096; i += 512) {
        float4 x = in[base + i];
        plane[i] = x;
        sum += x.x + x.y + x.z + x.w;
    }
    sum = sum_of_warp(sum);
    if (lane == 0) held[0][warp] = sum;
    __syncthreads();
    float mean = sum_of_warp(lane < 16 ? held[0][lane] : 0) / 16384;
    for (int i = threadIdx.x; i < 4096; i += 512) {
        float4 x = plane[i];
        x.x -= mean, x.y -= mean, x.z -= mean, x.w -= mean;
        squares += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
    }
    squares = sum_of_warp(squares);
    if (lane == 0) held[1][warp] = squares;
    __syncthreads();
    float inverse = rsqrtf(sum_of_warp(lane < 16 ? held[1][lane] : 0) / 16384 + 1e-5f);
    for (int i = threadIdx.x; i < 4096; i += 512) {
        float4 x = plane[i];
        out[base + i] = make_float4((x.x - mean) * inverse, (x.y - mean) * inverse, (x.z - mean) * inverse,
                                    (x.w - mean) * inverse);
    }
}

// launch causal_softmax: --kernel causal_softmax --grid 12288 --block 128 --arg f32[50331648]=-4..4 --arg f32[50331648] --arg i32:1024 --arg f32:0.125
// A warp a row; row t has t + 1 columns, the rest is left alone.
__global__ void causal_softmax(const float* __restrict__ in, float* __restrict__ out, int length, float scale) {
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32, last = row % length;
    const float* from = in + (size_t)row * length;
    float most = -1e30f, total = 0;
    for (int col = lane; col <= last; col += 32) {
        float x = from[col] * scale, larger = fmaxf(most, x);
        total = total * __expf(most - larger) + __expf(x - larger);
        most = larger;
    }
    float largest = most;
    for (int step = 16; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, step));
    float factor = 1 / sum_of_warp(total * __expf(most - largest));
    for (int col = lane; col <= last; col += 32)
        out[(size_t)row * length + col] = __expf(from[col] * scale - largest) * factor;
}
