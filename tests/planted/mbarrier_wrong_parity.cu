// The consumer waits for the phase before the first, which is over from the start.
// grid: 2
// block: 64
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[64];
    __shared__ Barrier full;
    if (threadIdx.x == 0) make(&full, 32);
    __syncthreads();
    if (threadIdx.x >= 32) {
        line[threadIdx.x] = in[threadIdx.x];
        arrive(&full);
    } else {
        wait(&full, 1);
        out[blockIdx.x * 32 + threadIdx.x] = line[63 - threadIdx.x];  // expect: race
    }
}
