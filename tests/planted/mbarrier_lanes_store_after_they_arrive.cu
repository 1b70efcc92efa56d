// The lanes of a warp meet at an mbarrier, and change what the others read after they have arrived.
// grid: 2
// block: 32
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[32];
    __shared__ Barrier met;
    if (threadIdx.x == 0) make(&met, 32);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    arrive(&met);
    line[threadIdx.x] *= 2;
    wait(&met, 0);
    out[blockIdx.x * 32 + threadIdx.x] = line[31 - threadIdx.x];  // expect: race
}
