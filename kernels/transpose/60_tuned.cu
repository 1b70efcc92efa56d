/*---
title   = "Tuned by occupancy"
types   = ["f32", "f64", "f16", "u8"]
block   = ["TILE", "ROWS"]
grid    = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]
compare = "30_padded"
require = [
  { expr = "TILE % ROWS == 0", why = "ROWS must divide TILE, or rows of the tile are skipped: choose a smaller ROWS or a larger TILE." },
  { expr = "TILE * ROWS <= 1024", why = "A block holds at most 1,024 threads: make TILE or ROWS smaller." },
  { expr = "TILE * ROWS * BLOCKS <= sm_90.threads", why = "No multiprocessor holds that many threads, not even an H200's: make TILE, ROWS or BLOCKS smaller." },
]
[without]
f32x4 = "A 16-byte element fills four banks by itself, and this rung is told in 4-byte words; 80_register_tiles moves 16-byte elements."
[tile]
array = "tile"
rows  = "TILE"
cols  = "TILE"
pitch = "TILE + max(1, 4 / element_bytes)"
[knob.TILE]
choices = [16, 32, 64]
help    = "the block moves TILE x TILE elements"
[knob.ROWS]
choices = [4, 8, 16, 32]
help    = "rows of threads: each thread moves TILE / ROWS elements"
[knob.BLOCKS]
choices = [1, 2, 4]
help    = "blocks that must fit on a multiprocessor: the compiler keeps registers low enough"
---*/

// Idea: the padded tile once more, with everything that decides how many bytes are on their way:
// elements per thread, threads per block, blocks per multiprocessor. All loads of a thread start
// before it stores the first.
// Still wrong: the best point of this map is still one element per access.
template <typename T = float, int TILE = 32, int ROWS = 8, int BLOCKS = 2>
__global__ void __launch_bounds__(TILE* ROWS, BLOCKS)  // <-
    transpose_tuned(const T* in, T* out, int rows, int cols) {
    constexpr int PAD = sizeof(T) < 4 ? 4 / sizeof(T) : 1;  // <- one whole word
    __shared__ T tile[TILE][TILE + PAD];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    T held[TILE / ROWS];
    for (int j = 0; j < TILE; j += ROWS)  // <- every load starts before the first is needed
        if (row + j < rows && col < cols) held[j / ROWS] = in[size_t(row + j) * cols + col];
    for (int j = 0; j < TILE; j += ROWS)
        if (row + j < rows && col < cols) tile[threadIdx.y + j][threadIdx.x] = held[j / ROWS];
    __syncthreads();
    col = blockIdx.x * TILE + threadIdx.y;
    row = blockIdx.y * TILE + threadIdx.x;
    for (int j = 0; j < TILE; j += ROWS)
        if (row < rows && col + j < cols)
            out[size_t(col + j) * rows + row] = tile[threadIdx.x][threadIdx.y + j];
}
