/*---
title   = "Any shape: cut where the output's sectors begin"
types   = ["f32", "f64", "f16", "u8"]
block   = ["THREADS"]
grid    = ["ceil_div(cols, ACROSS) * ceil_div(rows + 32 / element_bytes, 512 / element_bytes)", "1", "batch"]
compare = "80_register_tiles"
[tile]
array = "tile"
rows  = "ACROSS"
cols  = "544 / element_bytes"
pitch = "(548 + element_bytes / 8 * 4) / element_bytes"
[knob.ACROSS]
choices = [32, 64]
help    = "columns of a tile; each becomes a piece of 512 bytes of an output row"
[knob.THREADS]
choices = [256, 512]
help    = "threads in a block"
---*/

// Idea: where rows begin anywhere, cut each output row where a sector begins, a few elements on in
// each row, so that every sector is written whole, by one block, in whole vectors. The few rows of
// the input that two tiles need are read twice; L2 has them.
// Still wrong: elements are loaded one by one, and bytes are small.
template <typename T = float, int ACROSS = 64, int THREADS = 512>
__global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    transpose_any_shape(const T* in, T* out, int rows, int cols, int batch) {
    constexpr int SECTOR = 32 / sizeof(T), PIECE = 512 / sizeof(T);  // elements
    constexpr int PITCH = sizeof(T) == 8 ? 138 : 137;                // words: columns of T spread
    constexpr int FLIGHT = 17;                                       // loads under way at once
    __shared__ unsigned tile[ACROSS][PITCH];
    auto cell = [](int col, int row) -> T& { return reinterpret_cast<T*>(tile[col])[row]; };

    // Every output row has a piece of this tile, from first_row + (0 … SECTOR - 1) on.
    int lead = rows % SECTOR == 0 ? 0 : SECTOR, high = PIECE + lead;
    unsigned tiles_down = (rows + SECTOR + PIECE - 1) / PIECE;
    int first_row = int(blockIdx.x % tiles_down) * PIECE - lead;
    int first_col = blockIdx.x / tiles_down * ACROSS;
    if (first_row >= rows) return;
    size_t matrix = size_t(blockIdx.z) * rows * cols;
    in += matrix;

    if (cols > ACROSS) {  // a row of threads takes a row of the tile
        int col = threadIdx.x % ACROSS;
        constexpr int STEP = THREADS / ACROSS;
        for (int begin = threadIdx.x / ACROSS; begin < high; begin += STEP * FLIGHT) {
            const T* from = in + (long long)(first_row + begin) * cols + first_col + col;
            T held[FLIGHT];
            for (int i = 0; i < FLIGHT; ++i) {
                int row = first_row + begin + i * STEP;
                held[i] = 0;
                if (row >= 0 && row < rows && begin + i * STEP < high && first_col + col < cols)
                    held[i] = from[size_t(i * STEP) * cols];
            }
            for (int i = 0; i < FLIGHT; ++i)
                if (begin + i * STEP < high) cell(col, begin + i * STEP) = held[i];
        }
    } else {  // whole rows: what the tile needs is one piece of memory
        int step_rows = THREADS / cols, step_cols = THREADS % cols;
        int row = int(threadIdx.x) / cols, col = int(threadIdx.x) % cols;
        int before = max(-first_row, 0) * cols, after = min(high, rows - first_row) * cols;
        for (int begin = threadIdx.x; begin < high * cols; begin += THREADS * FLIGHT) {
            const T* from = in + (long long)(first_row)*cols + begin;
            T held[FLIGHT];
            for (int i = 0; i < FLIGHT; ++i) {
                int index = begin + i * THREADS;
                held[i] = 0;
                if (index >= before && index < after) held[i] = from[i * THREADS];
            }
            for (int i = 0; i < FLIGHT; ++i) {
                if (row < high) cell(col, row) = held[i];
                row += step_rows, col += step_cols;
                if (col >= cols) col -= cols, ++row;
            }
        }
    }
    __syncthreads();

    int lane = threadIdx.x % 32;
    for (int col = threadIdx.x / 32; col < ACROSS && first_col + col < cols; col += THREADS / 32) {
        size_t begin = matrix + size_t(first_col + col) * rows;  // of the output row
        int shift = (SECTOR - int(begin % SECTOR)) % SECTOR;     // <- to where a sector begins
        int byte = shift * int(sizeof(T)) + 16 * lane;
        // Four words in a row; which first is chosen so that each eight lanes use other banks.
        const unsigned* word = &tile[col][byte / 4];
        int turn = (lane / 8 - col * PITCH - byte / 4) & 3;
        union {
            uint4 words;
            unsigned word[4];
            T element[16 / sizeof(T)];
        } piece;
        unsigned read[4];
        for (int k = 0; k < 4; ++k) read[k] = word[(k + turn) & 3];
        for (int k = 0; k < 4; ++k) piece.word[k] = turn & 1 ? read[(k + 3) & 3] : read[k];
        for (int k = 0; k < 4; ++k) read[k] = turn & 2 ? piece.word[(k + 2) & 3] : piece.word[k];
        if (sizeof(T) < 4) {  // the piece may begin within a word
            unsigned next = __shfl_down_sync(0xffffffff, read[0], 1);
            if (lane == 31 && byte % 4 > 0) next = word[4];
            for (int k = 0; k < 4; ++k)
                piece.word[k] = __funnelshift_r(read[k], k < 3 ? read[k + 1] : next, byte % 4 * 8);
        } else {
            for (int k = 0; k < 4; ++k) piece.word[k] = read[k];
        }
        constexpr int EACH = 16 / sizeof(T);
        int to = first_row + shift + lane * EACH;
        if (to >= 0 && to + EACH <= rows)
            *reinterpret_cast<uint4*>(&out[begin + to]) = piece.words;  // <- whole sectors
        else
            for (int k = 0; k < EACH; ++k)
                if (to + k >= 0 && to + k < rows) out[begin + to + k] = piece.element[k];
    }
}
