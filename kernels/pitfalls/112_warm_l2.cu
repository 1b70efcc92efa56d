/*---
title = "Sixteen times the work, all of it in L2"
block = ["32", "8"]
grid  = ["ceil_div(cols, 32)", "ceil_div(rows, 32)"]
[tile]
array = "tile"
rows  = "32"
cols  = "32"
pitch = "33"
---*/

// Its author times one launch, and counts the bytes of all passes.
__global__ void transpose(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    for (int pass = 0; pass < 16; ++pass) {
        int col = blockIdx.x * 32 + threadIdx.x;
        int row = blockIdx.y * 32 + threadIdx.y;
        for (int j = 0; j < 32; j += 8)
            if (row + j < rows && col < cols)
                tile[threadIdx.y + j][threadIdx.x] = in[size_t(row + j) * cols + col];
        __syncthreads();
        col = blockIdx.x * 32 + threadIdx.y;
        row = blockIdx.y * 32 + threadIdx.x;
        for (int j = 0; j < 32; j += 8)
            if (row < rows && col + j < cols)
                out[size_t(col + j) * rows + row] = tile[threadIdx.x][threadIdx.y + j];
        __syncthreads();
    }
}
