/*---
title = "One more is not always enough"
block = ["16", "16"]
grid  = ["ceil_div(cols, 16)", "ceil_div(rows, 16)"]
[tile]
array = "tile"
rows  = "16"
cols  = "16"
pitch = "17"
---*/

// Its author called it free of bank conflicts: it is padded by one, after all.
__global__ void transpose(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[16][17];
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[size_t(row) * cols + col];
    __syncthreads();
    int out_col = blockIdx.y * 16 + threadIdx.x;
    int out_row = blockIdx.x * 16 + threadIdx.y;
    if (out_row < cols && out_col < rows)
        out[size_t(out_row) * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
