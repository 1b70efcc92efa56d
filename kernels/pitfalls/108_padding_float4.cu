/*---
title = "A padding that breaks alignment"
block = ["8", "32"]
grid  = ["ceil_div(cols, 32)", "ceil_div(rows, 32)"]
[tile]
array = "tile"
rows  = "32"
cols  = "32"
pitch = "33"
---*/

// For matrices whose rows and columns are multiples of four.
__global__ void transpose(const float* in, float* out, int rows, int cols) {
    __shared__ alignas(16) float tile[32][33];
    int x = threadIdx.x * 4, y = threadIdx.y;
    int col = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    if (row < rows && col < cols)
        *reinterpret_cast<float4*>(&tile[y][x]) =
            *reinterpret_cast<const float4*>(&in[size_t(row) * cols + col]);
    __syncthreads();
    int out_col = blockIdx.y * 32 + x, out_row = blockIdx.x * 32 + y;
    if (out_row < cols && out_col < rows)
        *reinterpret_cast<float4*>(&out[size_t(out_row) * rows + out_col]) =
            float4{tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]};
}
