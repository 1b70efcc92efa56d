/*---
title     = "In its own place"
reference = "in_place"
block     = ["32", "8"]
grid      = ["ceil_div(rows, 32)", "ceil_div(rows, 32)"]
[tile]
array = "tile"
rows  = "64"
cols  = "32"
pitch = "33"
---*/

// A block puts its tile, turned, where the mirrored one lies. Without a second matrix that is wrong.
__global__ void transpose(float* matrix, int rows) {
    __shared__ float tile[2][32][33];
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        int row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
        if (row < rows && col < rows) tile[0][y][x] = matrix[size_t(row) * rows + col];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) {
        int row = blockIdx.x * 32 + y, col = blockIdx.y * 32 + x;
        if (row < rows && col < rows) matrix[size_t(row) * rows + col] = tile[0][x][y];
    }
}
