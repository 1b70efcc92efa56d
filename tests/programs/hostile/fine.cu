/*---
title = "A transposition"
reference = "transpose"
block = ["32", "8"]
grid = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
---*/
// Nothing is wrong with it: what the others are compared with.
template <typename T = float>
__global__ void fine(const T* in, T* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows || col >= cols) return;
    out[size_t(col) * rows + row] = in[size_t(row) * cols + col];
}
