/*---
title   = "16 bytes, turned while loading"
types   = ["f32", "f64", "f16", "u8"]
block   = ["TILE * element_bytes / 16", "ROWS"]
grid    = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]
compare = "40_float4"
require = [
  { expr = "TILE * element_bytes / 16 * ROWS >= 32", why = "A block of fewer than 32 threads leaves lanes of its only warp idle: make TILE or ROWS larger." },
]
[without]
f32x4 = "The kernel makes 16-byte words out of smaller elements; an element of 16 bytes is one already."
[tile]
array = "tile"
rows  = "TILE"
cols  = "TILE"
pitch = "TILE"
[knob.TILE]
choices = [32, 64]
help    = "the block moves TILE x TILE elements"
[knob.ROWS]
choices = [16, 32]
help    = "rows of threads: each thread moves TILE / ROWS vectors of 16 bytes"
[knob.MASK]
choices = [0, 1, 3, 7]
help    = "bits of the vector's number that are mixed into its place; 0 leaves the tile as it is"
---*/

// Idea: turn the elements on their way into the tile. Its rows are then rows of the output, and come
// out 16 bytes at a time. Padding by one element would break the vectors' alignment, so whole
// vectors are swizzled instead.
// Still wrong: half of the traffic with shared memory is still one element per access.
template <typename T>
union Vector {
    uint4 words;
    T element[16 / sizeof(T)];
};

template <typename T = float, int TILE = 32, int ROWS = 32, int MASK = 7>
__global__ void transpose_float4_turned(const T* in, T* out, int rows, int cols) {
    constexpr int VEC = 16 / sizeof(T);
    constexpr int MIX = MASK & (TILE / VEC - 1);  // no further than the row is long
    __shared__ Vector<T> tile[TILE][TILE / VEC];  // <- [column of the input][vector of its rows]
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x * VEC;
    int row = blockIdx.y * TILE + y;
    for (int j = 0; j < TILE; j += ROWS) {
        Vector<T> held = {};  // zeros beyond the edge
        if (row + j < rows && col < cols) {
            const T* from = &in[size_t(row + j) * cols + col];
            if (cols % VEC == 0)
                held.words = *reinterpret_cast<const uint4*>(from);
            else
                for (int i = 0; i < VEC; ++i)
                    if (col + i < cols) held.element[i] = from[i];
        }
        int place = (y + j) / VEC ^ (x & MIX);  // <-
        for (int i = 0; i < VEC; ++i)
            tile[x * VEC + i][place].element[(y + j) % VEC] = held.element[i];  // <-
    }
    __syncthreads();
    col = blockIdx.x * TILE + y;
    row = blockIdx.y * TILE + x * VEC;
    for (int j = 0; j < TILE; j += ROWS) {
        if (row >= rows || col + j >= cols) continue;
        T* to = &out[size_t(col + j) * rows + row];
        Vector<T> held = tile[y + j][x ^ ((y + j) / VEC & MIX)];  // <-
        if (rows % VEC == 0)
            *reinterpret_cast<uint4*>(to) = held.words;  // <- 16 bytes out of shared memory
        else
            for (int i = 0; i < VEC; ++i)
                if (row + i < rows) to[i] = held.element[i];
    }
}
