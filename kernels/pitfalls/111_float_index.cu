/*---
title = "Right up to sixteen million"
block = ["32", "8"]
grid  = ["ceil_div(cols, 32)", "ceil_div(rows, 32)"]
---*/

// Right at 4096 x 4096, bit for bit.
__global__ void transpose(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    for (int j = 0; j < 32; j += 8) {
        int row = blockIdx.y * 32 + threadIdx.y + j;
        if (row >= rows || col >= cols) continue;
        float from = float(row) * float(cols) + float(col);
        out[size_t(col) * rows + row] = in[size_t(from)];
    }
}
