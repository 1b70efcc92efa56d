/*---
title     = "Right in the first tile"
operation = "matmul"
block     = ["16", "16"]
grid      = ["ceil_div(N, 16)"]
---*/

// A block stays and takes tile after tile down its columns. The first one is right.
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    int col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int row = threadIdx.y; row < M; row += 16) {
        if (col >= N) continue;
        for (int k = 0; k < K; ++k) sum += A[size_t(row) * K + k] * B[size_t(k) * N + col];
        C[size_t(row) * N + col] = sum;
    }
}
