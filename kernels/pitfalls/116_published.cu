/*---
title = "Published and measured"
block = ["32", "8"]
grid  = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
---*/

// "Reading along rows or writing along rows makes no difference." Make it the other of the two, and see.
__global__ void transpose(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < rows && col < cols) out[size_t(col) * rows + row] = in[size_t(row) * cols + col];
}
