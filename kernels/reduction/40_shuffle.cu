/*---
title     = "Warp shuffles"
types     = ["f32", "f16"]
reference = "block_sums"
block     = ["THREADS"]
grid      = ["ceil_div(n, THREADS * LOADS)"]
compare   = "30_first_add"
[tile]
array = "sums"
rows  = "1"
cols  = "THREADS / 32"
pitch = "THREADS / 32"
[knob.THREADS]
choices = [64, 128, 256, 512]
help    = "threads in a block"
[knob.LOADS]
choices = [1, 2, 4, 8]
help    = "elements that each thread adds as it loads them"
---*/
#include <cuda_fp16.h>

// Idea: a warp adds up its 32 values in registers, in five exchanges. One word for each warp goes
// through shared memory, and one barrier is left of the block's.
// Still wrong: a load brings one element, and a block ends after a handful of them.
template <typename T = float, int THREADS = 256, int LOADS = 4>
__global__ void reduce_shuffle(const T* in, float* out, int n) {
    constexpr int kWarps = THREADS / 32;
    __shared__ float sums[kWarps];
    int x = threadIdx.x;
    size_t first = size_t(blockIdx.x) * (THREADS * LOADS) + x;
    float sum = 0;
#pragma unroll
    for (int load = 0; load < LOADS; ++load) {
        size_t i = first + size_t(load) * THREADS;
        if (i < n) sum += float(in[i]);
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);  // <-
    if (x % 32 == 0) sums[x / 32] = sum;  // <-
    __syncthreads();
    if (x == 0) {
        float all = 0;
        for (int warp = 0; warp < kWarps; ++warp) all += sums[warp];  // <-
        out[blockIdx.x] = all;
    }
}
