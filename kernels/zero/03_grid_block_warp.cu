/*---
title     = "Grid, block and warp"
types     = ["f32"]
reference = "copy"
block     = ["THREADS"]
grid      = ["ceil_div(rows * cols, THREADS)"]
[knob.THREADS]
choices = [32, 64, 128, 256, 512]
help    = "threads in a block"
---*/

// Idea: each thread works out from its block and its place in the block which number is its own.
// Still wrong: nothing here; the index is all that there is to see.
template <typename T = float, int THREADS = 64>
__global__ void copy_my_number(const T* in, T* out, int rows, int cols) {
    size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x;
    if (i < size_t(rows) * cols) out[i] = in[i];
}
