// Atomics of 2 bytes, which the hardware makes of compare-and-swap loops on the word around them:
// one warp, so that nobody else's turns come between. STEP elements from lane to lane.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <int STEP>
__global__ void add_half(__half* sum, const float* in) {
    atomicAdd(sum + threadIdx.x * STEP, __float2half(in[threadIdx.x]));
}
template <int STEP>
__global__ void add_half_back(__half* sum, const float* in, float* out) {
    out[threadIdx.x] =
        __half2float(atomicAdd(sum + threadIdx.x * STEP, __float2half(in[threadIdx.x])));
}
template <int STEP>
__global__ void add_brain(__nv_bfloat16* sum, const float* in) {
    atomicAdd(sum + threadIdx.x * STEP, __float2bfloat16(in[threadIdx.x]));
}
template <int STEP>
__global__ void add_pairs(__half2* sum, const float* in) {
    float v = in[threadIdx.x];
    atomicAdd(sum + threadIdx.x * STEP, __floats2half2_rn(v, v + 1));
}
template <int STEP>
__global__ void swap_shorts(unsigned short* where, unsigned short to) {
    atomicCAS(where + threadIdx.x * STEP, (unsigned short)0, to);
}
template <int STEP>
__global__ void shared_pairs(__half2* out, const float* in) {
    __shared__ __half2 sum[64];
    sum[threadIdx.x] = sum[threadIdx.x + 32] = __floats2half2_rn(0, 0);
    __syncwarp();
    float v = in[threadIdx.x];
    atomicAdd(sum + threadIdx.x * STEP, __floats2half2_rn(v, v + 1));
    __syncwarp();
    out[threadIdx.x] = sum[threadIdx.x];
}
