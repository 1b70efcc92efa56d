/*---
title   = "Tile in shared memory"
types   = ["f32", "f64", "f16", "u8"]
block   = ["TILE", "TILE"]
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
choices = [8, 16, 32]
help    = "the block moves TILE x TILE elements with as many threads"
---*/

// Idea: turn the tile in shared memory. Read a tile's rows in order, wait for the whole block, then
// let neighbouring lanes take neighbouring rows of it, so that the writes are in order too.
// Still wrong: a warp reads a column of the tile, and all of a column lies in one bank. And a
// thousand threads wait for each other to move one element each.
template <typename T = float, int TILE = 32>
__global__ void transpose_tiled(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[TILE][TILE];  // <-
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[size_t(row) * cols + col];  // <-
    __syncthreads();  // <-
    col = blockIdx.x * TILE + threadIdx.y;  // <- the same tile, but x now walks along its rows
    row = blockIdx.y * TILE + threadIdx.x;  // <-
    if (row < rows && col < cols)
        out[size_t(col) * rows + row] = tile[threadIdx.x][threadIdx.y];  // <-
}
