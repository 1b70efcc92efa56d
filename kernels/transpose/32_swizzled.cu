/*---
title   = "Swizzled tile"
types   = ["f32", "f64", "f16", "u8"]
block   = ["TILE", "ROWS"]
grid    = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]
compare = "30_padded"
[without]
f32x4 = "A 16-byte element fills four banks by itself, and this rung is told in 4-byte words; 80_register_tiles moves 16-byte elements."
[tile]
array = "tile"
rows  = "TILE"
cols  = "TILE"
pitch = "TILE"
[knob.TILE]
choices = [16, 32]
help    = "the block moves TILE x TILE elements"
[knob.ROWS]
choices = [8, 16]
help    = "rows of threads: each thread moves TILE / ROWS elements"
[knob.MASK]
choices = [0, 3, 7, 15, 31]
help    = "bits of the row number that are mixed into the column, as far as TILE has them; 0: none"
---*/

// Idea: keep the tile as small as its data and shuffle each row instead: element (row, col) lies at
// column col ^ row. A row is still a row, in another order; a column goes through all banks.
// Still wrong: what was wrong with padding. Every element is still moved by itself.
template <typename T = float, int TILE = 32, int ROWS = 8, int MASK = 31>
__global__ void transpose_swizzled(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[TILE][TILE];
    constexpr int MIX = MASK & (TILE - 1);  // no further than the row is long
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (row + j < rows && col < cols)
            tile[threadIdx.y + j][threadIdx.x ^ ((threadIdx.y + j) & MIX)] =  // <-
                in[size_t(row + j) * cols + col];
    __syncthreads();
    col = blockIdx.x * TILE + threadIdx.y;
    row = blockIdx.y * TILE + threadIdx.x;
    for (int j = 0; j < TILE; j += ROWS)
        if (row < rows && col + j < cols)
            out[size_t(col + j) * rows + row] =
                tile[threadIdx.x][(threadIdx.y + j) ^ (threadIdx.x & MIX)];  // <-
}
