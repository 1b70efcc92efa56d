// Two products: the second's operands are stored when the first has been waited for by all.
// arch: sm_90a
// grid: 2
// block: 128
// arguments: in[4096] out[4096]
#include "wgmma.h"
__global__ void kernel(const uint4* in, float* out) {
    __shared__ alignas(1024) uint4 tile[144];
    float d[4] = {};
    for (int step = 0; step < 2; ++step) {
        tile[threadIdx.x] = in[144 * step + threadIdx.x];
        if (threadIdx.x < 16) tile[128 + threadIdx.x] = in[144 * step + 128 + threadIdx.x];
        fence();
        __syncthreads();
        multiply(d, tile, tile + 128);
        finish();
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) out[512 * blockIdx.x + 4 * threadIdx.x + i] = d[i];
}
