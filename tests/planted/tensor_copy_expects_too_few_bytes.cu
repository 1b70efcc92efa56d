// The mbarrier expects half of the bytes that come, so its phase never ends.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64 map:in:64x64:32x32:0
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols,
                       const __grid_constant__ Map map) {
    __shared__ alignas(128) float tile[32][32];
    __shared__ Barrier full;
    bool leads = threadIdx.x == 0 && threadIdx.y == 0;
    if (leads) make(&full, 1);
    __syncthreads();
    unsigned over = 0, barrier = shared(&full);
    if (leads) {
        expect(&full, sizeof tile / 2);
        load_box(tile, map, 0, 0, &full);
    }
    while (!over) asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(over) : "r"(barrier) : "memory");  // expect: deadlock
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
