/*---
title   = "Squares through a tile"
types   = ["f32"]
block   = ["256"]
grid    = ["ceil_div(cols, 4 * ACROSS)", "ceil_div(rows, 1024 / ACROSS)"]
compare = "42_float4_turned"
[without]
f64   = "This step shows the idea for floats; the register tiles use it for every type."
f16   = "This step shows the idea for floats; the register tiles use it for every type."
u8    = "This step shows the idea for floats; the register tiles use it for every type."
f32x4 = "This step shows the idea for floats; the register tiles use it for every type."
[tile]
array = "tile"
rows  = "4 * ACROSS"
cols  = "1024 / ACROSS"
pitch = "1024 / ACROSS + 4 * PAD"
[knob.ACROSS]
choices = [2, 4, 8, 16]
help    = "squares side by side in a tile of 256; the others lie below them"
[knob.PAD]
choices = [0, 1, 2]
help    = "unused vectors of 16 bytes at the end of each row of the tile"
---*/

// Idea: the squares go through shared memory. A thread stores its transposed square into the tile,
// and the block reads the tile along its rows. So both sides of global memory move long pieces, and
// every access, of global and of shared memory, is a vector of 16 bytes.
// Still wrong: lanes side by side write four rows of the tile apart, and no padding keeps all of
// them in different banks. And blocks with consecutive numbers write far from each other.

template <typename T = float, int ACROSS = 16, int PAD = 0>
__global__ void __launch_bounds__(256)
    transpose_squares_through_tile(const T* in, T* out, int rows, int cols) {
    constexpr int DEEP = 256 / ACROSS;
    __shared__ float4 tile[4 * ACROSS][DEEP + PAD];
    int first_row = blockIdx.y * DEEP * 4, first_col = blockIdx.x * ACROSS * 4;

    int across = threadIdx.x % ACROSS, deep = threadIdx.x / ACROSS;
    int row = first_row + deep * 4, col = first_col + across * 4;
    float held[4][4];
    for (int i = 0; i < 4; ++i) {
        if (row + i >= rows || col >= cols) continue;
        const T* from = &in[size_t(row + i) * cols + col];
        if (cols % 4 == 0) {  // every row begins at a whole vector
            float4 whole = *reinterpret_cast<const float4*>(from);
            held[i][0] = whole.x, held[i][1] = whole.y, held[i][2] = whole.z, held[i][3] = whole.w;
        } else {
            for (int k = 0; k < 4; ++k)
                if (col + k < cols) held[i][k] = from[k];
        }
    }
    for (int i = 0; i < 4; ++i)
        tile[across * 4 + i][deep] =
            make_float4(held[0][i], held[1][i], held[2][i], held[3][i]);  // <-
    __syncthreads();

    for (int i = 0; i < 4; ++i) {
        int index = threadIdx.x + i * 256;
        int to_row = first_col + index / DEEP, to_col = first_row + index % DEEP * 4;
        if (to_row >= cols || to_col >= rows) continue;
        float4 vector = tile[index / DEEP][index % DEEP];
        T* to = &out[size_t(to_row) * rows + to_col];
        if (rows % 4 == 0) {
            *reinterpret_cast<float4*>(to) = vector;
        } else {
            to[0] = vector.x;
            if (to_col + 1 < rows) to[1] = vector.y;
            if (to_col + 2 < rows) to[2] = vector.z;
            if (to_col + 3 < rows) to[3] = vector.w;
        }
    }
}
