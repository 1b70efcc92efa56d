/*---
title   = "Naive, reads in order"
types   = ["f32", "f64", "f16", "u8", "f32x4"]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(cols, BLOCK_X)", "ceil_div(rows, BLOCK_Y)"]
require = [
  { expr = "BLOCK_X * BLOCK_Y <= 1024", why = "A block holds at most 1,024 threads: make BLOCK_X or BLOCK_Y smaller." },
  { expr = "BLOCK_X * BLOCK_Y >= 32", why = "A block of fewer than 32 threads leaves lanes of its only warp idle: make BLOCK_X or BLOCK_Y larger." },
]
[knob.BLOCK_X]
choices = [4, 8, 16, 32, 64]
help    = "threads along a row of the input; below 32 a warp is several rows of the block"
[knob.BLOCK_Y]
choices = [2, 4, 8, 16, 32]
help    = "rows of threads in a block"
---*/

// Idea: the copy with its two output indices swapped, and nothing else.
// Still wrong: neighbouring lanes write one whole output row apart, so every element of a store
// lands in a sector of its own.
template <typename T = float, int BLOCK_X = 32, int BLOCK_Y = 32>
__global__ void transpose_naive(const T* in, T* out, int rows, int cols) {
    int col = blockIdx.x * BLOCK_X + threadIdx.x;
    int row = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (row < rows && col < cols)
        out[size_t(col) * rows + row] = in[size_t(row) * cols + col];  // <-
}
