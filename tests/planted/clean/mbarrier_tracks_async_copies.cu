// The phase is over when every thread's copy is done: no wait_group, no barrier.
// grid: 2
// block: 64
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[64];
    __shared__ Barrier full;
    if (threadIdx.x == 0) make(&full, 64);
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared(&line[threadIdx.x])),
                 "l"(&in[threadIdx.x])
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared(&full))
                 : "memory");
    wait(&full, 0);
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}
