// The next copy is issued while other warps still read the tile.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64 map:in:64x64:32x32:0
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols,
                       const __grid_constant__ Map map) {
    __shared__ alignas(128) float tile[32][32];
    __shared__ Barrier full[2];
    unsigned to = shared(tile), barrier = shared(full);
    bool leads = threadIdx.x == 0 && threadIdx.y == 0;
    if (leads) {
        make(&full[0], 1);
        make(&full[1], 1);
    }
    __syncthreads();
    float sum = 0;
    for (int step = 0; step < 2; ++step) {
        if (leads) {
            expect(&full[step], sizeof tile);
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(&map), "r"(step * 32), "r"(0), "r"(barrier + 8 * step) : "memory");  // expect: race
        }
        wait(&full[step], 0);
        sum += tile[threadIdx.x][threadIdx.y];  // expect: race
    }
    out[threadIdx.y * 32 + threadIdx.x] = sum;
}
