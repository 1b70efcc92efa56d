/*---
title = "Profile it"
block = ["32", "8"]
grid  = ["ceil_div(cols, 64)", "ceil_div(rows, 32)"]
[tile]
array = "tile"
rows  = "64"
cols  = "32"
pitch = "33"
---*/

// Two elements of a row for each thread, padded, every element right. Something is wasted all the same.
__global__ void transpose(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[64][33];
    int first = blockIdx.x * 64, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        for (int k = 0; k < 2; ++k) {
            int c = 2 * threadIdx.x + k;
            if (row + j < rows && first + c < cols)
                tile[c][threadIdx.y + j] = in[size_t(row + j) * cols + first + c];
        }
    __syncthreads();
    int out_col = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 64; j += 8)
        if (first + j < cols && out_col < rows)
            out[size_t(first + j) * rows + out_col] = tile[j][threadIdx.x];
}
