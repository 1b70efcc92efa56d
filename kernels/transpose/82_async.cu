/*---
title   = "Asynchronous copies, several tiles on their way"
types   = ["f32", "f64", "f16", "u8"]
block   = ["ACROSS * DEEP"]
grid    = ["min(BLOCKS, ceil_div(cols, ACROSS * max(min(4, 16 / element_bytes), 8 / element_bytes)) * ceil_div(rows, DEEP * max(min(4, 16 / element_bytes), 8 / element_bytes)))", "1", "batch"]
compare = "80_register_tiles"
require = [
  { expr = "ACROSS * DEEP * STAGES <= 768", why = "So many tiles do not fit into 48 KB of shared memory: make ACROSS, DEEP or STAGES smaller." },
]
[without]
f32x4 = "A 16-byte element fills four banks by itself, and this rung is told in 4-byte words; 80_register_tiles moves 16-byte elements."
[tile]
array = "tile"
rows  = "DEEP * max(min(4, 16 / element_bytes), 8 / element_bytes)"
cols  = "ACROSS * max(min(4, 16 / element_bytes), 8 / element_bytes)"
pitch = "ACROSS * max(min(4, 16 / element_bytes), 8 / element_bytes)"
[knob.ACROSS]
choices = [8, 16]
help    = "squares side by side in a tile; a thread turns one square of each tile"
[knob.DEEP]
choices = [8, 16]
help    = "squares one below the other in a tile"
[knob.STAGES]
choices = [1, 2, 3]
help    = "tiles that a block keeps room for: one is written out while the others arrive"
[knob.BLOCKS]
choices = [264, 528]
help    = "blocks in the grid, each of which takes tile after tile"
---*/

// Idea: a block stays and takes tile after tile. Copies into shared memory run on by themselves
// (cp.async) and need no registers, so the next tiles arrive while this one is turned and stored.
// Still wrong: the grid must be fitted to the card, and a block that is late makes others wait for
// nothing. Many small blocks hide their waiting behind each other without any of this.
template <typename T>
constexpr int side = sizeof(T) == 1   ? 8
                     : sizeof(T) == 8 ? 2
                                      : 4;  // of a square, in elements

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

// One vector from global into shared memory; it arrives some time before wait_for() lets it pass.
template <int BYTES>
__device__ void copy_async(void* to, const void* from) {
    unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(BYTES)
                 : "memory");
}
__device__ void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int NEWER>  // groups that may still be on their way
__device__ void wait_for() {
    asm volatile("cp.async.wait_group %0;" ::"n"(NEWER) : "memory");
}

template <typename T = float, int ACROSS = 16, int DEEP = 16, int STAGES = 2, int BLOCKS = 528>
__global__ void __launch_bounds__(ACROSS* DEEP)
    transpose_async(const T* in, T* out, int rows, int cols, int batch) {
    using Words = decltype(Vector<T>::words);
    constexpr int SIDE = side<T>, THREADS = ACROSS * DEEP;
    constexpr int TILE_ROWS = DEEP * SIDE, TILE_COLS = ACROSS * SIDE;
    __shared__ Vector<T> tile[STAGES][TILE_ROWS][ACROSS];
    constexpr int PHASE = 128 / sizeof(Vector<T>);
    constexpr int MIX = ACROSS < PHASE ? ACROSS : PHASE;
    auto place = [](int row, int across) { return across ^ (row / SIDE % MIX); };

    unsigned tiles_down = (rows + TILE_ROWS - 1) / TILE_ROWS;
    unsigned tiles = tiles_down * ((cols + TILE_COLS - 1) / TILE_COLS);
    in += size_t(blockIdx.z) * rows * cols;
    out += size_t(blockIdx.z) * rows * cols;

    auto fetch = [&](unsigned number, int stage) {
        int first_row = number % tiles_down * TILE_ROWS,
            first_col = number / tiles_down * TILE_COLS;
        if (cols % SIDE == 0) {  // every row begins at a whole vector
            for (int i = 0; i < SIDE && number < tiles; ++i) {
                int index = threadIdx.x + i * THREADS;
                int across = index % ACROSS, row = index / ACROSS;
                int col = first_col + across * SIDE;
                if (first_row + row < rows && col < cols)
                    copy_async<sizeof(Vector<T>)>(&tile[stage][row][place(row, across)],  // <-
                                                  &in[size_t(first_row + row) * cols + col]);
            }
        } else {  // rows begin anywhere: element by element, along them
            for (int i = 0; i < SIDE * SIDE && number < tiles; ++i) {
                int index = threadIdx.x + i * THREADS;
                int col = index % TILE_COLS, row = index / TILE_COLS;
                if (first_row + row >= rows) continue;
                const T* from = &in[size_t(first_row + row) * cols + first_col + col];
                T& to = tile[stage][row][place(row, col / SIDE)].element[col % SIDE];
                if (first_col + col >= cols)
                    to = 0;  // a whole vector may be read
                else if constexpr (sizeof(T) >= 4)
                    copy_async<sizeof(T)>(&to, from);
                else  // the hardware copies no less than a word asynchronously
                    to = *from;
            }
        }
        close_group();  // also an empty one, so that groups count tiles
    };

    for (int ahead = 0; ahead < STAGES - 1; ++ahead) fetch(blockIdx.x + ahead * gridDim.x, ahead);
    int stage = 0;
    for (unsigned number = blockIdx.x; number < tiles; number += gridDim.x) {
        fetch(number + (STAGES - 1) * gridDim.x, (stage + STAGES - 1) % STAGES);  // <-
        wait_for<STAGES - 1>();                                                   // <-
        __syncthreads();
        int first_row = number % tiles_down * TILE_ROWS,
            first_col = number / tiles_down * TILE_COLS;
        if (rows % SIDE == 0) {
            int deep = threadIdx.x % DEEP, across = threadIdx.x / DEEP;
            Vector<T> held[SIDE];
            for (int i = 0; i < SIDE; ++i) {
                int row = deep * SIDE + i;
                if (first_row + row < rows && first_col + across * SIDE < cols)
                    held[i].words = tile[stage][row][place(row, across)].words;
            }
            for (int i = 0; i < SIDE; ++i) {
                Vector<T> turned;
                for (int k = 0; k < SIDE; ++k) turned.element[k] = held[k].element[i];
                int to_row = first_col + across * SIDE + i, to_col = first_row + deep * SIDE;
                if (to_row < cols && to_col < rows)
                    __stcs(reinterpret_cast<Words*>(&out[size_t(to_row) * rows + to_col]),
                           turned.words);
            }
        } else {
            for (int i = 0; i < SIDE * SIDE; ++i) {
                int index = threadIdx.x + i * THREADS;
                int row = index % TILE_ROWS, col = index / TILE_ROWS;
                if (first_row + row < rows && first_col + col < cols)
                    out[size_t(first_col + col) * rows + first_row + row] =
                        tile[stage][row][place(row, col / SIDE)].element[col % SIDE];
            }
        }
        __syncthreads();  // all have read the tile: the next fetch may overwrite it
        stage = (stage + 1) % STAGES;
    }
}
