/*---
title     = "Neighbours first"
types     = ["f32", "f16"]
reference = "block_sums"
block     = ["THREADS"]
grid      = ["ceil_div(n, THREADS)"]
compare   = "10_packed_threads"
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

// Idea: a tree. Each round adds neighbours, then neighbours of neighbours, until the first word of
// shared memory holds the block's sum.
// Still wrong: in the first round every second thread has nothing to do, then three of four, and a
// warp executes the addition as long as a single lane of it adds.
template <typename T = float, int THREADS = 256>
__global__ void reduce_interleaved(const T* in, float* out, int n) {
    __shared__ float sums[THREADS];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    sums[x] = i < n ? float(in[i]) : 0.f;
    for (int step = 1; step < THREADS; step *= 2) {
        __syncthreads();
        if (x % (2 * step) == 0) sums[x] += sums[x + step];  // <-
    }
    if (x == 0) out[blockIdx.x] = sums[0];
}
