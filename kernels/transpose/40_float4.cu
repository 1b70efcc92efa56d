/*---
title   = "16 bytes on both sides"
types   = ["f32", "f64", "f16", "u8"]
block   = ["TILE * element_bytes / 16", "ROWS"]
grid    = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]
compare = "30_padded"
require = [
  { expr = "TILE * element_bytes / 16 * ROWS >= 32", why = "A block of fewer than 32 threads leaves lanes of its only warp idle: make TILE or ROWS larger." },
]
[without]
f32x4 = "The kernel makes 16-byte words out of smaller elements; an element of 16 bytes is one already."
[tile]
array = "tile"
rows  = "TILE"
cols  = "TILE"
pitch = "TILE + PAD"
[knob.TILE]
choices = [32, 64]
help    = "the block moves TILE x TILE elements"
[knob.ROWS]
choices = [16, 32]
help    = "rows of threads: each thread moves TILE / ROWS vectors of 16 bytes"
[knob.PAD]
choices = [0, 1, 2, 4]
help    = "unused elements at the end of each row of the tile"
---*/

// Idea: four floats (16 bytes) per access on both sides of global memory, a quarter of the requests.
// The tile still takes and gives single elements: what is a row outside is a column inside.
// Still wrong: each thread waits at the barrier for one or two vectors, and shared memory sees as
// many accesses as before.
template <typename T>
union Vector {
    uint4 words;
    T element[16 / sizeof(T)];
};

template <typename T = float, int TILE = 32, int ROWS = 32, int PAD = 1>
__global__ void transpose_float4(const T* in, T* out, int rows, int cols) {
    constexpr int VEC = 16 / sizeof(T);
    __shared__ T tile[TILE][TILE + PAD];
    int x = threadIdx.x * VEC, y = threadIdx.y;  // <- each thread owns VEC neighbours
    int col = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (row + j >= rows || col >= cols) continue;
        const T* from = &in[size_t(row + j) * cols + col];
        Vector<T> held;
        if (cols % VEC == 0)  // <- only then does every row begin at a multiple of 16 bytes
            held.words = *reinterpret_cast<const uint4*>(from);
        else
            for (int i = 0; i < VEC; ++i)
                if (col + i < cols) held.element[i] = from[i];
        for (int i = 0; i < VEC; ++i)
            if (col + i < cols) tile[y + j][x + i] = held.element[i];
    }
    __syncthreads();
    col = blockIdx.x * TILE + y;
    row = blockIdx.y * TILE + x;
    for (int j = 0; j < TILE; j += ROWS) {
        if (row >= rows || col + j >= cols) continue;
        T* to = &out[size_t(col + j) * rows + row];
        Vector<T> held;
        for (int i = 0; i < VEC; ++i)
            if (row + i < rows) held.element[i] = tile[x + i][y + j];
        if (rows % VEC == 0)  // <-
            *reinterpret_cast<uint4*>(to) = held.words;
        else
            for (int i = 0; i < VEC; ++i)
                if (row + i < rows) to[i] = held.element[i];
    }
}
