// A bulk copy from an address that is no multiple of 16.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64 map:in:64x64:32x32:0
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols,
                       const __grid_constant__ Map map) {
    __shared__ alignas(128) float line[256];
    __shared__ Barrier full;
    unsigned to = shared(line), barrier = shared(&full);
    bool leads = threadIdx.x == 0 && threadIdx.y == 0;
    if (leads) {
        make(&full, 1);
        expect(&full, 512);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(in + 1), "r"(512), "r"(barrier) : "memory");  // expect: misaligned
    }
    __syncthreads();
    wait(&full, 0);
    out[threadIdx.y * 32 + threadIdx.x] = threadIdx.x;
}
