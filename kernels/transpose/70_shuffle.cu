/*---
title = "Warp shuffle, no shared memory"
types = ["f32", "f64", "f16", "u8"]
block = ["32", "WARPS"]
grid  = ["ceil_div(cols, 32)", "ceil_div(rows, 32 * WARPS)"]
[without]
f32x4 = "A shuffle carries 4 bytes: an element of 16 would take four of them for every one here."
[knob.WARPS]
choices = [1, 2, 4, 8]
help    = "warps in a block, one below the other; they have nothing to do with each other"
---*/

// Idea: turn the tile in the registers of one warp. Lane l holds column l; five rounds of exchange
// swap halves, quarters, … single elements, until lane l holds row l. No tile, no barrier.
// Still wrong: every access is one element wide, a shuffle is served by the same hardware as shared
// memory, and each lane holds a whole column, so that few warps fit.
template <typename T = float, int WARPS = 4>
__global__ void transpose_shuffle(const T* in, T* out, int rows, int cols) {
    int lane = threadIdx.x;
    int first_col = blockIdx.x * 32;
    int first_row = (blockIdx.y * WARPS + threadIdx.y) * 32;
    T held[32];
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        held[i] = 0;  // the exchange wants a value, also beyond the edge
        if (first_row + i < rows && first_col + lane < cols)
            held[i] = in[size_t(first_row + i) * cols + first_col + lane];
    }
#pragma unroll
    for (int half = 16; half >= 1; half /= 2) {  // <-
        bool upper = lane & half;
#pragma unroll
        for (int i = 0; i < 32; ++i) {
            if (i & half) continue;
            // The block above the diagonal changes places with the one below it.
            T give = upper ? held[i] : held[i + half];
            T got = __shfl_xor_sync(0xffffffff, give, half);  // <-
            held[i] = upper ? got : held[i];
            held[i + half] = upper ? held[i + half] : got;
        }
    }
#pragma unroll
    for (int i = 0; i < 32; ++i)
        if (first_row + lane < rows && first_col + i < cols)
            out[size_t(first_col + i) * rows + first_row + lane] = held[i];
}
