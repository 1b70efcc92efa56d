// An mbarrier that nobody has initialised.
// grid: 2
// block: 64
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[64];
    __shared__ Barrier full;
    line[threadIdx.x] = in[threadIdx.x];
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&full)));  // expect: uninitialized_shared
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}
