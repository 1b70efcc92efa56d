// The lanes of a warp meet at an mbarrier alone, where others have a __syncwarp.
// grid: 2
// block: 32
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[32];
    __shared__ Barrier met;
    if (threadIdx.x == 0) make(&met, 32);
    __syncthreads();
    for (int round = 0; round < 2; ++round) {
        line[threadIdx.x] = in[(2 * blockIdx.x + round) * 32 + threadIdx.x];
        arrive(&met);
        wait(&met, 0);
        out[(2 * blockIdx.x + round) * 32 + threadIdx.x] = line[31 - threadIdx.x];
        arrive(&met);
        wait(&met, 1);
    }
}
