/*---
title     = "Right for multiples of sixteen"
operation = "matmul"
block     = ["16", "16"]
grid      = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
[tile]
array = "a_tile"
rows  = "16"
cols  = "16"
pitch = "16"
---*/

// "What lies past the edge is never written, so it does not matter what is read there."
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[16][16], b_tile[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < K; first += 16) {
        int a_col = first + threadIdx.x, b_row = first + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] = A[size_t(row) * K + a_col];
        b_tile[threadIdx.y][threadIdx.x] = B[size_t(b_row) * N + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[size_t(row) * N + col] = sum;
}
