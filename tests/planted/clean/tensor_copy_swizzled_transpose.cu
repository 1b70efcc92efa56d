// A tile of 32 x 32 with a swizzle of 128 bytes, read down its columns.
// grid: 2 2
// block: 32 8
// arguments: in[4096] out[4096] 64 64 map:in:64x64:32x32:128
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols,
                       const __grid_constant__ Map map) {
    __shared__ alignas(1024) float tile[32 * 32];
    __shared__ Barrier full;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        make(&full, 1);
        expect(&full, sizeof tile);
        load_box(tile, map, blockIdx.x * 32, blockIdx.y * 32, &full);
    }
    __syncthreads();
    wait(&full, 0);
    for (int j = threadIdx.y; j < 32; j += 8) {
        int row = threadIdx.x, chunk = j / 4 ^ row % 8;
        out[(blockIdx.x * 32 + j) * rows + blockIdx.y * 32 + row] =
            tile[row * 32 + chunk * 4 + j % 4];
    }
}
