/*---
title     = "In place"
types     = ["f32", "f64", "f16", "u8"]
reference = "in_place"
block     = ["ACROSS * ACROSS / 2"]
grid      = ["(ceil_div(rows, ACROSS * max(min(4, 16 / element_bytes), 8 / element_bytes)) + 1) * ceil_div(ceil_div(rows, ACROSS * max(min(4, 16 / element_bytes), 8 / element_bytes)), 2)", "1", "batch"]
compare   = "80_register_tiles"
[without]
f32x4 = "A 16-byte element fills four banks by itself, and this rung is told in 4-byte words; 80_register_tiles moves 16-byte elements."
[tile]
array = "tile"
rows  = "ACROSS * max(min(4, 16 / element_bytes), 8 / element_bytes)"
cols  = "ACROSS * max(min(4, 16 / element_bytes), 8 / element_bytes)"
pitch = "ACROSS * max(min(4, 16 / element_bytes), 8 / element_bytes)"
[knob.ACROSS]
choices = [8, 16]
help    = "squares side by side in a tile, and one below the other; a thread turns two in each tile"
---*/

// Idea: no second matrix. A block takes a tile and its mirror image, turns both in shared memory,
// and writes each where the other was. Nobody else touches the two. Each thread has two squares of
// both in its registers, so that many bytes are on their way although there are few blocks.
// Still wrong: half as many blocks, each waiting for twice as much before it may write anything; and
// the matrix must be square.
template <typename T>
constexpr int side = sizeof(T) == 1 ? 8 : sizeof(T) == 8 ? 2 : 4;  // of a square, in elements

template <int BYTES>
struct Wide {
    using Words = uint4;
};
template <>
struct Wide<8> {
    using Words = uint2;
};
template <typename T>
union Vector {
    typename Wide<side<T> * sizeof(T)>::Words words;
    T element[side<T>];
};

constexpr int kSquares = 2;  // of a thread in each tile

template <typename T = float, int ACROSS = 16>
__global__ void __launch_bounds__(ACROSS* ACROSS / kSquares)
    transpose_in_place(T* matrix, int rows, int batch) {
    constexpr int SIDE = side<T>, TILE = ACROSS * SIDE, THREADS = ACROSS * ACROSS / kSquares;
    constexpr int EACH = kSquares * SIDE;  // vectors of a thread in each tile
    __shared__ Vector<T> tile[2][TILE][ACROSS];
    constexpr int PHASE = 128 / sizeof(Vector<T>);  // vectors that fill all banks once
    constexpr int MIX = ACROSS < PHASE ? ACROSS : PHASE;
    auto place = [](int col, int deep) { return deep ^ (col / SIDE % MIX); };
    using Words = decltype(Vector<T>::words);

    // The tiles on and below the diagonal, column by column; a long column and a short one together
    // have tiles + 1 of them.
    int tiles = (rows + TILE - 1) / TILE;
    int tile_col = blockIdx.x / (tiles + 1), step = blockIdx.x % (tiles + 1);
    int tile_row = tile_col + step;
    if (tile_row >= tiles) {  // <- past the end of the long column: into the short one
        step = tile_row - tiles;
        if (tile_col == tiles - 1 - tile_col) return;  // the middle one has no partner
        tile_col = tiles - 1 - tile_col;
        tile_row = tile_col + step;
    }
    matrix += size_t(blockIdx.z) * rows * rows;
    int count = tile_row == tile_col ? 1 : 2;  // on the diagonal they are one
    Vector<T> held[2][EACH];
#pragma unroll
    for (int mirror = 0; mirror < 2; ++mirror)  // <- the tile, then its mirror image
        for (int i = 0; i < EACH && mirror < count; ++i) {
            int square = threadIdx.x + i / SIDE * THREADS;
            int row = (mirror ? tile_col : tile_row) * TILE + square / ACROSS * SIDE + i % SIDE;
            int col = (mirror ? tile_row : tile_col) * TILE + square % ACROSS * SIDE;
            const T* from = &matrix[size_t(row) * rows + col];
            if (rows % SIDE != 0)
                for (int k = 0; k < SIDE; ++k)
                    held[mirror][i].element[k] = row < rows && col + k < rows ? from[k] : T(0);
            else if (row < rows && col < rows)
                held[mirror][i].words = *reinterpret_cast<const Words*>(from);
        }
#pragma unroll
    for (int mirror = 0; mirror < 2; ++mirror)  // <- unrolled: `held` stays in registers
        for (int i = 0; i < EACH && mirror < count; ++i) {
            int square = threadIdx.x + i / SIDE * THREADS;
            Vector<T> turned;
            for (int k = 0; k < SIDE; ++k)
                turned.element[k] = held[mirror][i / SIDE * SIDE + k].element[i % SIDE];
            int to = square % ACROSS * SIDE + i % SIDE;
            tile[mirror][to][place(to, square / ACROSS)].words = turned.words;
        }
    __syncthreads();  // <- both have been read: now both may be overwritten

    for (int mirror = 0; mirror < count; ++mirror)
        for (int i = 0; i < EACH; ++i) {
            int index = threadIdx.x + i * THREADS;
            int from = index / ACROSS, vector = index % ACROSS;
            int row = (mirror ? tile_row : tile_col) * TILE + from;  // <- where the other was
            int col = (mirror ? tile_col : tile_row) * TILE + vector * SIDE;
            if (row >= rows || col >= rows) continue;
            Vector<T> result = tile[mirror][from][place(from, vector)];
            T* to = &matrix[size_t(row) * rows + col];
            if (rows % SIDE != 0) {
                for (int k = 0; k < SIDE; ++k)
                    if (col + k < rows) to[k] = result.element[k];
            } else {
                *reinterpret_cast<Words*>(to) = result.words;
            }
        }
}
