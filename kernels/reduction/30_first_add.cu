/*---
title     = "Add while loading"
types     = ["f32", "f16"]
reference = "block_sums"
block     = ["THREADS"]
grid      = ["ceil_div(n, THREADS * LOADS)"]
compare   = "20_sequential"
[tile]
array = "sums"
rows  = "THREADS / 32"
cols  = "32"
pitch = "32"
[knob.THREADS]
choices = [64, 128, 256, 512]
help    = "threads in a block"
[knob.LOADS]
choices = [1, 2, 4, 8]
help    = "elements that each thread adds on their way into shared memory"
---*/
#include <cuda_fp16.h>

// Idea: let each thread add several elements as it loads them. The tree is as deep as before, but
// there are fewer trees, and each thread has several loads in flight.
// Still wrong: the tree itself: a barrier and a way through shared memory for each round.
template <typename T = float, int THREADS = 256, int LOADS = 2>
__global__ void reduce_first_add(const T* in, float* out, int n) {
    __shared__ float sums[THREADS];
    int x = threadIdx.x;
    size_t first = size_t(blockIdx.x) * (THREADS * LOADS) + x;
    float sum = 0;
#pragma unroll
    for (int load = 0; load < LOADS; ++load) {  // <-
        size_t i = first + size_t(load) * THREADS;
        if (i < n) sum += float(in[i]);  // <-
    }
    sums[x] = sum;
    for (int step = THREADS / 2; step > 0; step /= 2) {
        __syncthreads();
        if (x < step) sums[x] += sums[x + step];
    }
    if (x == 0) out[blockIdx.x] = sums[0];
}
