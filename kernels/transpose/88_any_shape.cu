/*---
title   = "Any shape: cut where the output's sectors begin"
types   = ["f32", "f64", "f16", "u8"]
block   = ["256"]
grid    = ["ceil_div(cols, ACROSS) * ceil_div(rows + 32 / element_bytes, PIECE / element_bytes)", "1", "batch"]
compare = "80_register_tiles"
require = [
  { expr = "ACROSS * (PIECE + 40) <= 49152", why = "The tile does not fit into 48 KB of shared memory: make ACROSS or PIECE smaller." },
]
[without]
f32x4 = "Every element of 16 bytes is aligned whatever the shape, so there is nothing for this rung to do; 80_register_tiles moves them."
[tile]
array = "tile"
rows  = "ACROSS"
cols  = "(PIECE + 32) / element_bytes"
pitch = "(PIECE + 36 + element_bytes / 8 * 4) / element_bytes"
[knob.ACROSS]
choices = [64, 128]
help    = "columns of a tile; each becomes a piece of an output row"
[knob.PIECE]
choices = [256, 512]
help    = "bytes of such a piece"
---*/

// Idea: where rows begin anywhere, cut each output row where a sector begins, a few elements on in
// each row, so that every sector is written whole, by one block, in whole vectors. The few rows of
// the input that two tiles need are read twice; L2 has them.
// Still wrong: elements are loaded one by one, and bytes are small.
constexpr int kThreads = 256;

template <typename T = float, int ACROSS = 64, int PIECE = 256>
__global__ void __launch_bounds__(kThreads, 5)
    transpose_any_shape(const T* in, T* out, int rows, int cols, int batch) {
    constexpr int SECTOR = 32 / sizeof(T), LONG = PIECE / sizeof(T);        // elements
    constexpr int PITCH = (PIECE + 32) / 4 + (sizeof(T) == 8 ? 2 : 1);      // words, to spread
    constexpr int LANES = PIECE / 16, EACH = 16 / sizeof(T), FLIGHT = 18;   // loads at once
    __shared__ unsigned tile[ACROSS][PITCH];
    auto cell = [](int col, int row) -> T& { return reinterpret_cast<T*>(tile[col])[row]; };

    // Every output row has a piece of this tile, from first_row + (0 … SECTOR - 1) on.
    int lead = rows % SECTOR == 0 ? 0 : SECTOR, high = LONG + lead;
    unsigned tiles_down = (rows + SECTOR + LONG - 1) / LONG;
    int first_row = int(blockIdx.x % tiles_down) * LONG - lead;
    int first_col = blockIdx.x / tiles_down * ACROSS;
    if (first_row >= rows) return;
    size_t matrix = size_t(blockIdx.z) * rows * cols;
    in += matrix;

    if (cols > ACROSS / 2) {  // a row of threads takes a row of the tile
        constexpr int STEP = kThreads / ACROSS;
        int col = threadIdx.x % ACROSS;
        bool inside = first_col + col < cols;
        bool whole = first_row >= 0 && first_row + high <= rows;
        for (int begin = threadIdx.x / ACROSS; begin < high; begin += STEP * FLIGHT) {
            const T* from = in + (long long)(first_row + begin) * cols + first_col + col;
            T held[FLIGHT];
            if (whole && begin + (FLIGHT - 1) * STEP < high) {  // no checks between the loads
                for (int i = 0; i < FLIGHT; ++i)
                    if (inside) held[i] = from[size_t(i * STEP) * cols];
                for (int i = 0; i < FLIGHT; ++i)
                    if (inside) cell(col, begin + i * STEP) = held[i];
                continue;
            }
            for (int i = 0; i < FLIGHT; ++i) {
                int row = first_row + begin + i * STEP;
                held[i] = 0;
                if (inside && row >= 0 && row < rows && begin + i * STEP < high)
                    held[i] = from[size_t(i * STEP) * cols];
            }
            for (int i = 0; i < FLIGHT; ++i)
                if (begin + i * STEP < high) cell(col, begin + i * STEP) = held[i];
        }
    } else {  // whole rows: what the tile needs is one piece of memory
        int step_rows = kThreads / cols, step_cols = kThreads % cols;
        int row = int(threadIdx.x) / cols, col = int(threadIdx.x) % cols;
        int before = max(-first_row, 0) * cols, after = min(high, rows - first_row) * cols;
        for (int begin = threadIdx.x; begin < high * cols; begin += kThreads * FLIGHT) {
            const T* from = in + (long long)(first_row)*cols + begin;
            T held[FLIGHT];
            for (int i = 0; i < FLIGHT; ++i) {
                int index = begin + i * kThreads;
                held[i] = 0;
                if (index >= before && index < after) held[i] = from[i * kThreads];
            }
            for (int i = 0; i < FLIGHT; ++i) {
                if (row < high) cell(col, row) = held[i];
                row += step_rows, col += step_cols;
                if (col >= cols) col -= cols, ++row;
            }
        }
    }
    __syncthreads();

    int lane = threadIdx.x % LANES;  // along a piece
    for (int col = threadIdx.x / LANES; col < ACROSS; col += kThreads / LANES) {
        if (first_col + col >= cols) continue;
        size_t begin = matrix + size_t(first_col + col) * rows;  // of the output row
        int shift = (SECTOR - int(begin % SECTOR)) % SECTOR;     // <- to where a sector begins
        int byte = shift * int(sizeof(T)) + 16 * lane;
        // Four words in a row; which first is chosen so that each eight lanes use other banks.
        const unsigned* word = &tile[col][byte / 4];
        int turn = (threadIdx.x / 8 - col * PITCH - byte / 4) & 3;
        union {
            uint4 words;
            unsigned word[4];
            T element[EACH];
        } piece;
        unsigned read[4];
        for (int k = 0; k < 4; ++k) read[k] = word[(k + turn) & 3];
        for (int k = 0; k < 4; ++k) piece.word[k] = turn & 1 ? read[(k + 3) & 3] : read[k];
        for (int k = 0; k < 4; ++k) read[k] = turn & 2 ? piece.word[(k + 2) & 3] : piece.word[k];
        if (sizeof(T) < 4) {  // the piece may begin within a word
            unsigned next = byte % 4 > 0 ? word[4] : 0;
            for (int k = 0; k < 4; ++k)
                piece.word[k] = __funnelshift_r(read[k], k < 3 ? read[k + 1] : next, byte % 4 * 8);
        } else {
            for (int k = 0; k < 4; ++k) piece.word[k] = read[k];
        }
        int to = first_row + shift + lane * EACH;
        if (to >= 0 && to + EACH <= rows)
            *reinterpret_cast<uint4*>(&out[begin + to]) = piece.words;  // <- whole sectors
        else
            for (int k = 0; k < EACH; ++k)
                if (to + k >= 0 && to + k < rows) out[begin + to + k] = piece.element[k];
    }
}
