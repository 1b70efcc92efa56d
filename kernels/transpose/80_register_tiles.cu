/*---
title   = "Register tiles"
types   = ["f32", "f64", "f16", "u8", "f32x4"]
block   = ["ACROSS * DEEP / SQUARES"]
grid    = ["ceil_div(cols, ACROSS * min(8, 16 / element_bytes)) * ceil_div(rows, DEEP * min(8, 16 / element_bytes))", "1", "batch"]
compare = "42_float4_turned"
require = [
  { expr = "ACROSS * DEEP * min(8, 16 / element_bytes) * min(8, 16 / element_bytes) * element_bytes <= 49152", why = "The tile does not fit into 48 KB of shared memory: make ACROSS or DEEP smaller." },
]
[tile]
array = "tile"
rows  = "ACROSS * min(8, 16 / element_bytes)"
cols  = "DEEP * min(8, 16 / element_bytes)"
pitch = "DEEP * min(8, 16 / element_bytes)"
[knob.ACROSS]
choices = [8, 16]
help    = "squares side by side in a tile; a thread turns a square as wide as a vector"
[knob.DEEP]
choices = [8, 16, 32]
help    = "squares one below the other in a tile"
[knob.SQUARES]
choices = [1, 2]
help    = "squares that each thread turns"
[knob.DOWN]
choices = [0, 1]
help    = "1: the next block takes the tile below, 0: the tile to the right"
---*/

// Idea: each thread turns a small square of elements in its registers, so that everything moves 16
// bytes at a time: out of global memory, into the tile, out of it, into global memory. Blocks walk
// down the input, which is along the output. A thread may have as many registers as let the
// compiler start all of its loads at once.
// Still wrong: a thread waits for its loads before it stores, and a block for all its threads.
template <typename T>
constexpr int side = sizeof(T) == 1 ? 8 : 16 / sizeof(T);  // of a square, in elements

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

// Threads that a multiprocessor must have room for: few, where a square takes many registers.
template <typename T>
constexpr int resident = sizeof(T) >= 8 ? 2048 : sizeof(T) == 1 ? 1280 : 1024;

template <typename T = float, int ACROSS = 16, int DEEP = 16, int SQUARES = 1, int DOWN = 1>
__global__ void __launch_bounds__(ACROSS* DEEP / SQUARES,
                                  resident<T> * SQUARES / (ACROSS * DEEP))  // <-
    transpose_register_tiles(const T* in, T* out, int rows, int cols, int batch) {
    using Words = decltype(Vector<T>::words);
    constexpr int SIDE = side<T>, THREADS = ACROSS * DEEP / SQUARES;
    constexpr int TILE_ROWS = DEEP * SIDE, TILE_COLS = ACROSS * SIDE;
    constexpr int EACH = SQUARES * SIDE;  // vectors of a thread
    __shared__ Vector<T> tile[TILE_COLS][DEEP];
    // Where vector `deep` of a column lies in its row of the tile.
    constexpr int PHASE = 128 / sizeof(Vector<T>);  // vectors that fill all banks once
    constexpr int MIX = DEEP < PHASE ? DEEP : PHASE;
    auto place = [](int col, int deep) { return deep ^ (col / SIDE % MIX); };

    unsigned tiles_down = (rows + TILE_ROWS - 1) / TILE_ROWS;
    unsigned tiles_across = (cols + TILE_COLS - 1) / TILE_COLS;
    int first_row = (DOWN ? blockIdx.x % tiles_down : blockIdx.x / tiles_across) * TILE_ROWS;
    int first_col = (DOWN ? blockIdx.x / tiles_down : blockIdx.x % tiles_across) * TILE_COLS;
    in += size_t(blockIdx.z) * rows * cols;
    out += size_t(blockIdx.z) * rows * cols;

    if (cols % SIDE == 0) {  // every row begins at a whole vector
        Vector<T> held[EACH];
        for (int i = 0; i < EACH; ++i) {
            int square = threadIdx.x + i / SIDE * THREADS;
            int row = first_row + square / ACROSS * SIDE + i % SIDE;
            int col = first_col + square % ACROSS * SIDE;
            if (row < rows && col < cols)
                held[i].words = *reinterpret_cast<const Words*>(&in[size_t(row) * cols + col]);
        }
        for (int i = 0; i < EACH; ++i) {
            int square = threadIdx.x + i / SIDE * THREADS;
            int col = square % ACROSS * SIDE + i % SIDE;
            Vector<T> turned;
            for (int k = 0; k < SIDE; ++k)
                turned.element[k] = held[i / SIDE * SIDE + k].element[i % SIDE];  // <-
            tile[col][place(col, square / ACROSS)].words = turned.words;
        }
    } else {  // rows begin anywhere: element by element, along them
        constexpr int FLIGHT = EACH * SIDE < 16 ? EACH * SIDE : 16;  // loads under way at once
        for (int done = 0; done < EACH * SIDE; done += FLIGHT) {
            T held[FLIGHT];
            for (int i = 0; i < FLIGHT; ++i) {
                int index = threadIdx.x + (done + i) * THREADS;
                int row = first_row + index / TILE_COLS, col = first_col + index % TILE_COLS;
                if (row < rows && col < cols) held[i] = in[size_t(row) * cols + col];
            }
            for (int i = 0; i < FLIGHT; ++i) {
                int index = threadIdx.x + (done + i) * THREADS;
                int row = index / TILE_COLS, col = index % TILE_COLS;
                tile[col][place(col, row / SIDE)].element[row % SIDE] = held[i];
            }
        }
    }
    __syncthreads();

    if (rows % SIDE == 0) {
        for (int i = 0; i < EACH; ++i) {
            int index = threadIdx.x + i * THREADS;
            int deep = index % DEEP, col = index / DEEP;
            int to_row = first_col + col, to_col = first_row + deep * SIDE;
            if (to_row < cols && to_col < rows)
                *reinterpret_cast<Words*>(&out[size_t(to_row) * rows + to_col]) =
                    tile[col][place(col, deep)].words;
        }
    } else {
        for (int i = 0; i < EACH * SIDE; ++i) {
            int index = threadIdx.x + i * THREADS;
            int row = index % TILE_ROWS, col = index / TILE_ROWS;
            int to_row = first_col + col, to_col = first_row + row;
            if (to_row < cols && to_col < rows)
                out[size_t(to_row) * rows + to_col] =
                    tile[col][place(col, row / SIDE)].element[row % SIDE];
        }
    }
}
