/*---
title     = "Copy, one element per thread"
types     = ["f32", "f64", "f16", "u8", "f32x4"]
reference = "copy"
block     = ["BLOCK_X", "BLOCK_Y"]
grid      = ["ceil_div(cols, BLOCK_X)", "ceil_div(rows, BLOCK_Y)"]
require   = [
  { expr = "BLOCK_X * BLOCK_Y <= 1024", why = "A block holds at most 1,024 threads: make BLOCK_X or BLOCK_Y smaller." },
  { expr = "BLOCK_X * BLOCK_Y >= 32", why = "A block of fewer than 32 threads leaves lanes of its only warp idle: make BLOCK_X or BLOCK_Y larger." },
]
[knob.BLOCK_X]
choices = [4, 8, 16, 32, 64, 128]
help    = "threads along a row: what a warp touches at once"
[knob.BLOCK_Y]
choices = [2, 4, 8, 16, 32]
help    = "rows of threads in a block"
---*/

// Idea: move every element once and change nothing; no transpose that works like this, one element
// per thread, has less to do.
// Still wrong: each thread asks for one element and then waits, so too few bytes are on their way
// at once to keep the memory busy.
template <typename T = float, int BLOCK_X = 32, int BLOCK_Y = 8>
__global__ void copy(const T* in, T* out, int rows, int cols) {
    int col = blockIdx.x * BLOCK_X + threadIdx.x;
    int row = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (row < rows && col < cols)
        out[size_t(row) * cols + col] = in[size_t(row) * cols + col];
}
