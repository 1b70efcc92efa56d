// The whole block meets at an mbarrier, as std::barrier does it: arrive, then wait.
// grid: 2
// block: 64
// arguments: in[4096] out[4096] 64 64
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[64];
    __shared__ Barrier meeting;
    if (threadIdx.x == 0) make(&meeting, 64);
    __syncthreads();
    for (int step = 0; step < 4; ++step) {
        line[threadIdx.x] = in[step * 64 + threadIdx.x];
        for (int part = 0; part < 2; ++part) {
            unsigned long long state;
            asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                         : "=l"(state)
                         : "r"(shared(&meeting))
                         : "memory");
            unsigned over = 0;
            while (!over)
                asm volatile(
                    "{\n.reg .pred p;\nmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\n"
                    "selp.u32 %0, 1, 0, p;\n}"
                    : "=r"(over)
                    : "r"(shared(&meeting)), "l"(state)
                    : "memory");
            if (part == 0) out[(blockIdx.x * 4 + step) * 64 + threadIdx.x] = line[63 - threadIdx.x];
        }
    }
}
