/*---
title = "Both sides strided"
types = ["f32", "f64", "f16", "u8"]
block = ["BLOCK_X", "BLOCK_Y"]
grid  = ["ceil_div(cols, BLOCK_X * RUN)", "ceil_div(rows, BLOCK_Y)"]
[without]
f32x4 = "Sixteen bytes in each thread hide what this rung shows, a sector fetched for 4 of its 32 bytes; 10_naive takes them."
[knob.BLOCK_X]
choices = [4, 8, 32]
help    = "threads along a row of the input"
[knob.BLOCK_Y]
choices = [8, 16]
help    = "rows of threads in a block"
[knob.RUN]
choices = [1, 2, 4, 8]
help    = "neighbouring elements that each thread takes, one after another"
---*/

// Idea: give each thread a run of neighbouring elements to walk along, as one would on a CPU.
// Still wrong: the neighbours now belong to one thread, not to one warp. At each step the lanes are
// RUN elements apart when they read, and RUN output rows apart when they write.
template <typename T = float, int BLOCK_X = 32, int BLOCK_Y = 8, int RUN = 8>
__global__ void transpose_strided(const T* in, T* out, int rows, int cols) {
    int first = (blockIdx.x * BLOCK_X + threadIdx.x) * RUN;  // <-
    int row = blockIdx.y * BLOCK_Y + threadIdx.y;
    for (int col = first; col < first + RUN; ++col)  // <-
        if (row < rows && col < cols)
            out[size_t(col) * rows + row] = in[size_t(row) * cols + col];
}
