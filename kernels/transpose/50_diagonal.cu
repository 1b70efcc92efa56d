/*---
title   = "Diagonal order"
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
pitch = "TILE + PAD"
[knob.TILE]
choices = [16, 32]
help    = "the block moves TILE x TILE elements"
[knob.ROWS]
choices = [8, 16]
help    = "rows of threads: each thread moves TILE / ROWS elements"
[knob.PAD]
choices = [0, 1]
help    = "unused elements at the end of each row of the tile"
[knob.ORDER]
choices = [0, 1, 2]
help    = "which tile the next block takes: 0 the one to the right, 1 right and down, 2 the one below"
---*/

// Idea: change which tile each block takes, and nothing else. On the diagonal, blocks that follow
// each other share neither rows nor columns, so that on old cards they used different partitions.
// Still wrong: memory addresses have been hashed for many generations, so there is no camp to break
// up; and neighbours that share no row lose what they had fetched for each other.
template <typename T = float, int TILE = 32, int ROWS = 8, int PAD = 1, int ORDER = 1>
__global__ void transpose_diagonal(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[TILE][TILE + PAD];
    int tile_col = blockIdx.x, tile_row = blockIdx.y;
    if (ORDER != 0) {  // <- down, column by column
        unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
        tile_row = block % gridDim.y;
        tile_col = block / gridDim.y;
        if (ORDER == 1) tile_col = (tile_col + tile_row) % gridDim.x;  // <- and right
    }
    int col = tile_col * TILE + threadIdx.x;
    int row = tile_row * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (row + j < rows && col < cols)
            tile[threadIdx.y + j][threadIdx.x] = in[size_t(row + j) * cols + col];
    __syncthreads();
    col = tile_col * TILE + threadIdx.y;
    row = tile_row * TILE + threadIdx.x;
    for (int j = 0; j < TILE; j += ROWS)
        if (row < rows && col + j < cols)
            out[size_t(col + j) * rows + row] = tile[threadIdx.x][threadIdx.y + j];
}
