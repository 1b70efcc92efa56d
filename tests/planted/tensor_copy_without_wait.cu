// A barrier of the block in place of the wait for the copy's mbarrier.
// grid: 2 2
// block: 32 8
// arguments: in[4096] out[4096] 64 64 map:in:64x64:32x32:0
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols,
                       const __grid_constant__ Map map) {
    __shared__ alignas(128) float tile[32][32];
    __shared__ Barrier full;
    bool leads = threadIdx.x == 0 && threadIdx.y == 0;
    if (leads) {
        make(&full, 1);
        expect(&full, sizeof tile);
        load_box(tile, map, blockIdx.x * 32, blockIdx.y * 32, &full);
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) {
        float value = tile[threadIdx.x][j];  // expect: race
        out[(blockIdx.x * 32 + j) * rows + blockIdx.y * 32 + threadIdx.x] = value;
    }
}
