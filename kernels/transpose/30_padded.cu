/*---
title   = "Padded tile"
types   = ["f32", "f64", "f16", "u8"]
block   = ["TILE", "ROWS"]
grid    = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]
compare = "22_coarsened"
require = [
  { expr = "TILE % ROWS == 0", why = "ROWS must divide TILE, or rows of the tile are skipped: choose a smaller ROWS or a larger TILE." },
  { expr = "TILE * ROWS <= 1024", why = "A block holds at most 1,024 threads: make TILE or ROWS smaller." },
]
[without]
f32x4 = "A 16-byte element fills four banks by itself, and this rung is told in 4-byte words; 80_register_tiles moves 16-byte elements."
[tile]
array = "tile"
rows  = "TILE"
cols  = "TILE"
pitch = "TILE + PAD"
[knob.TILE]
choices = [8, 16, 32, 64]
help    = "the block moves TILE x TILE elements"
[knob.ROWS]
choices = [4, 8, 16, 32]
help    = "rows of threads: each thread moves TILE / ROWS elements"
[knob.PAD]
choices = [0, 1, 2, 3, 4]
help    = "unused elements at the end of each row of the tile"
---*/

// Idea: make each row of the tile PAD elements longer than its data. The next row then starts PAD
// elements further round the banks, and a column spreads over all of them.
// Still wrong: every element is still a load, a store, a load and a store of its own, so too few
// bytes are on their way at once to reach the ceiling.
template <typename T = float, int TILE = 32, int ROWS = 8, int PAD = 1>
__global__ void transpose_padded(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[TILE][TILE + PAD];  // <-
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (row + j < rows && col < cols)
            tile[threadIdx.y + j][threadIdx.x] = in[size_t(row + j) * cols + col];
    __syncthreads();
    col = blockIdx.x * TILE + threadIdx.y;
    row = blockIdx.y * TILE + threadIdx.x;
    for (int j = 0; j < TILE; j += ROWS)
        if (row < rows && col + j < cols)
            out[size_t(col + j) * rows + row] = tile[threadIdx.x][threadIdx.y + j];
}
