/*---
title = "A store far outside"
reference = "transpose"
block = ["32", "8"]
grid = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
---*/
// Stores where no buffer is.
template <typename T = float>
__global__ void out_of_bounds(const T* in, T* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows || col >= cols) return;
    out[(size_t(1) << 44) + row] = in[size_t(row) * cols + col];
}
