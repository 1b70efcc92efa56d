// The mbarrier expects all threads, and half of them arrive.
// grid: 2
// block: 64
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[64];
    __shared__ Barrier full;
    if (threadIdx.x == 0) make(&full, 64);
    __syncthreads();
    if (threadIdx.x < 32) {
        line[threadIdx.x] = in[threadIdx.x];
        arrive(&full);
    } else {
        unsigned over = 0, barrier = shared(&full);
        while (!over)
            asm volatile(
                "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                "selp.u32 %0, 1, 0, p;\n}"
                : "=r"(over)
                : "r"(barrier)  // expect: deadlock
                : "memory");
        out[blockIdx.x * 32 + threadIdx.x - 32] = line[63 - threadIdx.x];
    }
}
