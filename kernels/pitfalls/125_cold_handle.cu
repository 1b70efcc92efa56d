/*---
title     = "Ten thousand times as fast as the library"
operation = "matmul"
block     = ["32", "32"]
grid      = ["1"]
---*/

// At 32 x 32 x 32 it takes microseconds, and the library's first call took 174 ms.
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[size_t(row) * K + k] * B[size_t(k) * N + col];
    C[size_t(row) * N + col] = sum;
}
