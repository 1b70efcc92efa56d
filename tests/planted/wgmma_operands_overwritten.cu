// The next operands are stored while wgmma may still be reading these.
// arch: sm_90a
// grid: 1
// block: 128
// arguments: in[4096] out[4096]
#include "wgmma.h"
__global__ void kernel(const uint4* in, float* out) {
    __shared__ alignas(1024) uint4 tile[144];
    tile[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 16) tile[128 + threadIdx.x] = in[128 + threadIdx.x];
    fence();
    __syncthreads();
    float d[4] = {};
    multiply(d, tile, tile + 128);
    __syncthreads();
    tile[threadIdx.x] = in[144 + threadIdx.x];  // expect: race
    finish();
    for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];
}
