// The tile is filled again before the copy from it has been waited for.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64 map:out:64x64:32x32:0
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols,
                       const __grid_constant__ Map map) {
    __shared__ alignas(128) float tile[32][32];
    for (int step = 0; step < 2; ++step) {
        for (int j = threadIdx.y; j < 32; j += 8) {
            float value = in[j * cols + step * 32 + threadIdx.x];
            tile[j][threadIdx.x] = value;  // expect: race
        }
        fence();
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0) store_box(map, step * 32, 0, tile);
        __syncthreads();
    }
    wait_read();
}
