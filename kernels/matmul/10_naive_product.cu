/*---
title = "Naive product, a thread for each element"
types = ["f32", "f16"]
block = ["SIDE", "SIDE"]
grid  = ["ceil_div(N, SIDE)", "ceil_div(M, SIDE)"]
[knob.SIDE]
choices = [8, 16, 32]
help    = "the block computes SIDE x SIDE elements of C with as many threads"
---*/
#include <cuda_fp16.h>

// Idea: one thread computes one element of C. It walks along a row of A and down a column of B, and
// adds up the products. Neighbouring lanes take neighbouring columns.
// Still wrong: nothing is kept. For each multiplication the thread asks memory for both factors, and
// the thread beside it asks for one of them again.
template <typename T = float, int SIDE = 32>
__global__ void matmul_naive(const T* A, const T* B, float* C, int M, int N, int K) {
    int col = blockIdx.x * SIDE + threadIdx.x;
    int row = blockIdx.y * SIDE + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k)
        sum += float(A[size_t(row) * K + k]) * float(B[size_t(k) * N + col]);
    C[size_t(row) * N + col] = sum;
}
