/*---
title = "Right for squares only"
block = ["32", "8"]
grid  = ["ceil_div(cols, 32)", "ceil_div(rows, 32)"]
---*/

// It passes every test at 256 x 256, at 1024 x 1024 and at 4096 x 4096.
__global__ void transpose(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int j = 0; j < 32; j += 8) {
        int row = blockIdx.y * 32 + threadIdx.y + j;
        if (row < rows && col < cols) out[size_t(col) * cols + row] = in[size_t(row) * cols + col];
    }
}
