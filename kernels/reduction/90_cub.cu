/*---
title     = "CUB's block reduction"
types     = ["f32", "f16"]
reference = "block_sums"
headers   = "cub"
block     = ["THREADS"]
grid      = ["ceil_div(n, THREADS * ITEMS)"]
compare   = "40_shuffle"
[knob.THREADS]
choices = [128, 256, 512]
help    = "threads in a block"
[knob.ITEMS]
choices = [4, 8, 16]
help    = "elements of each thread"
---*/
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cuda_fp16.h>

// Idea: the library's own pieces. BlockLoad brings ITEMS elements for each thread, BlockReduce adds
// them up, each by the way that its authors found best for the card.
// Still wrong: it is general: what holds for your data alone (their type, alignment, length), you know.
template <typename T = float, int THREADS = 256, int ITEMS = 8>
__global__ void reduce_cub(const T* in, float* out, int n) {
    using Load = cub::BlockLoad<T, THREADS, ITEMS, cub::BLOCK_LOAD_STRIPED>;
    using Reduce = cub::BlockReduce<float, THREADS>;
    __shared__ typename Reduce::TempStorage shared;
    size_t first = size_t(blockIdx.x) * (THREADS * ITEMS);
    T held[ITEMS];
    Load().Load(in + first, held, int(min(size_t(n) - first, size_t(THREADS * ITEMS))), T(0.f));  // <-
    float items[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) items[i] = float(held[i]);
    float sum = Reduce(shared).Sum(items);  // <-
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
