// The copy is issued before the other warps have stored their part.
// grid: 2 2
// block: 32 8
// arguments: in[4096] out[4096] 64 64 map:out:64x64:32x32:0
#include "async.h"
__global__ void kernel(const float* in, float* out, int rows, int cols,
                       const __grid_constant__ Map map) {
    __shared__ alignas(128) float tile[32][32];
    unsigned from = shared(tile);
    for (int j = threadIdx.y; j < 32; j += 8)
        tile[j][threadIdx.x] = in[(blockIdx.y * 32 + j) * cols + blockIdx.x * 32 + threadIdx.x];
    fence();
    __syncwarp();
    if (threadIdx.x == 0 && threadIdx.y == 7) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(blockIdx.x * 32), "r"(blockIdx.y * 32), "r"(from) : "memory");  // expect: race
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        wait_read();
    }
}
