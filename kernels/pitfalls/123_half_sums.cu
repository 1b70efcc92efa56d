/*---
title     = "Half the memory, half the digits"
operation = "matmul"
types     = ["f16"]
block     = ["32", "8"]
grid      = ["ceil_div(N, 32)", "ceil_div(M, 8)"]
---*/

// The inputs are halves, so the sum is one, too: "otherwise the compiler converts all the time".
#include <cuda_fp16.h>

template <typename T = __half>
__global__ void matmul(const T* A, const T* B, float* C, int M, int N, int K) {
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row >= M || col >= N) return;
    T sum = 0;
    for (int k = 0; k < K; ++k) sum += A[size_t(row) * K + k] * B[size_t(k) * N + col];
    C[size_t(row) * N + col] = float(sum);
}
