/*---
title = "1000 x 50"
block = ["32", "8"]
grid  = ["ceil_div(cols, 32)", "ceil_div(rows, 32)"]
[tile]
array = "tile"
rows  = "32"
cols  = "32"
pitch = "33"
---*/

// Right for every multiple of 32, and fast. Make it right for 1000 x 50.
__global__ void transpose(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[size_t(row + j) * cols + col];
    __syncthreads();
    int out_col = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[size_t(out_row + j) * rows + out_col] = tile[threadIdx.x][threadIdx.y + j];
}
