/*---
title     = "Halves onto halves"
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

// Idea: add the upper half of the words to the lower half. Neighbouring lanes then read neighbouring
// words, whatever the round.
// Still wrong: half of the threads never add anything. They bring one element and wait.
template <typename T = float, int THREADS = 256>
__global__ void reduce_sequential(const T* in, float* out, int n) {
    __shared__ float sums[THREADS];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    sums[x] = i < n ? float(in[i]) : 0.f;
    for (int step = THREADS / 2; step > 0; step /= 2) {  // <-
        __syncthreads();
        if (x < step) sums[x] += sums[x + step];  // <-
    }
    if (x == 0) out[blockIdx.x] = sums[0];
}
