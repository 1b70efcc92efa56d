/*---
title     = "Busy threads side by side"
types     = ["f32", "f16"]
reference = "block_sums"
block     = ["THREADS"]
grid      = ["ceil_div(n, THREADS)"]
compare   = "20_sequential"
[tile]
array = "sums"
rows  = "THREADS / 32"
cols  = "32"
pitch = "32"
[knob.THREADS]
choices = [64, 128, 256, 512]
help    = "threads in a block; each brings one element into shared memory"
---*/
#include <cuda_fp16.h>

// Idea: the same additions, done by the first threads of the block, so that whole warps are busy and
// the others are done.
// Still wrong: neighbouring lanes are now 2, 4, 8, … words apart in shared memory and want the same
// banks.
template <typename T = float, int THREADS = 256>
__global__ void reduce_packed(const T* in, float* out, int n) {
    __shared__ float sums[THREADS];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    sums[x] = i < n ? float(in[i]) : 0.f;
    for (int step = 1; step < THREADS; step *= 2) {
        __syncthreads();
        int at = 2 * step * x;                          // <-
        if (at < THREADS) sums[at] += sums[at + step];  // <-
    }
    if (x == 0) out[blockIdx.x] = sums[0];
}
