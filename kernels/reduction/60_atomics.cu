/*---
title     = "One atomic a block"
types     = ["f32", "f16"]
reference = "sum"
block     = ["THREADS"]
grid      = ["min(BLOCKS, ceil_div(n, THREADS * VECTOR))"]
compare   = "50_vector"
[tile]
array = "sums"
rows  = "1"
cols  = "THREADS / 32"
pitch = "THREADS / 32"
[knob.THREADS]
choices = [128, 256, 512]
help    = "threads in a block"
[knob.VECTOR]
choices = [1, 2, 4]
help    = "elements that one load brings; a thread has four such loads in flight"
[knob.BLOCKS]
choices = [264, 1056, 4224]
help    = "at most so many blocks share the work, each in strides of the whole grid"
---*/
#include <cuda_fp16.h>

// VECTOR elements that one load brings.
template <typename T, int VECTOR>
struct alignas(VECTOR * sizeof(T)) Elements {
    T value[VECTOR];
};

// Idea: each block adds its sum to one word of memory, atomically. One launch leaves the whole sum.
// Still wrong: the word has to be zero before, and the blocks add in whatever order they come: floats
// may then round differently from run to run.
template <typename T = float, int THREADS = 256, int VECTOR = 4, int BLOCKS = 1056>
__global__ void reduce_atomic(const T* in, float* out, int n) {
    constexpr int kWarps = THREADS / 32, kInFlight = 4;
    using Piece = Elements<T, VECTOR>;
    __shared__ float sums[kWarps];
    int x = threadIdx.x;
    const Piece* pieces = reinterpret_cast<const Piece*>(in);
    int whole = n / VECTOR, stride = gridDim.x * THREADS, me = blockIdx.x * THREADS + x;
    float sum = 0;
    for (int first = me; first < whole; first += kInFlight * stride) {
        Piece held[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            int i = first + k * stride;
            if (i < whole) held[k] = pieces[i];
        }
#pragma unroll
        for (int k = 0; k < kInFlight; ++k)
            if (first + k * stride < whole)
#pragma unroll
                for (int v = 0; v < VECTOR; ++v) sum += float(held[k].value[v]);
    }
    if (me < n % VECTOR) sum += float(in[whole * VECTOR + me]);  // what fills no piece
#pragma unroll
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (x % 32 == 0) sums[x / 32] = sum;
    __syncthreads();
    if (x == 0) {
        float all = 0;
        for (int warp = 0; warp < kWarps; ++warp) all += sums[warp];
        atomicAdd(out, all);  // <-
    }
}
