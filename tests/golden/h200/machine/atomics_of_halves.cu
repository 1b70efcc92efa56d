// Atomic sums of half, half2, bfloat16 and bfloat162, small whole numbers and so exact.
// lanewise-engine run atomics_of_halves.cu --kernel atomics --grid 1 --block 64 --arg u32[8]
// results: exact
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void atomics(unsigned* out) {
    __shared__ __half2 pair;
    if (threadIdx.x < 8) out[threadIdx.x] = 0;
    if (threadIdx.x == 0) pair = __floats2half2_rn(0, 0);
    __syncthreads();
    atomicAdd((__half*)out, __int2half_rn(threadIdx.x % 4));
    atomicAdd((__half2*)(out + 1), __floats2half2_rn(1, threadIdx.x % 3));
    atomicAdd((__nv_bfloat16*)(out + 2), __float2bfloat16(1));
    atomicAdd((__nv_bfloat162*)(out + 3), __floats2bfloat162_rn(2, 0.5f));
    atomicAdd(&pair, __floats2half2_rn(2, threadIdx.x % 2));
    atomicCAS((unsigned short*)(out + 5), (unsigned short)0, (unsigned short)7);
    __syncthreads();
    if (threadIdx.x == 0) out[4] = *reinterpret_cast<unsigned*>(&pair);
}
