// Two stages of asynchronous copies in flight with cuda_pipeline.h.
// lanewise-engine run pipeline_copy.cu --kernel staged --grid 2 --block 64 --arg u32[1024] --arg u32[1024]
// results: exact
#include <cuda_pipeline.h>
__global__ void staged(unsigned* out, const unsigned* in) {
    __shared__ __align__(16) unsigned stage[2][256];
    int t = threadIdx.x, at = blockIdx.x * 512;
    auto fetch = [&](int s) {
        __pipeline_memcpy_async(&stage[s & 1][t * 4], &in[at + s * 128 % 512 + t * 4 % 128], 16);
        __pipeline_commit();
    };
    fetch(0);
    for (int s = 0; s < 4; ++s) {
        if (s < 3) fetch(s + 1);
        __pipeline_wait_prior(s < 3 ? 1 : 0);
        __syncthreads();
        for (int k = 0; k < 2; ++k) out[at + s * 128 + k * 64 + t] = stage[s & 1][255 - (k * 64 + t)] + s;
        __syncthreads();
    }
}
