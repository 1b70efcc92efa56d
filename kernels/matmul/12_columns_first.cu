/*---
title   = "Naive product, lanes along the columns of C"
types   = ["f32", "f16"]
block   = ["SIDE", "SIDE"]
grid    = ["ceil_div(M, SIDE)", "ceil_div(N, SIDE)"]
compare = "10_naive_product"
[knob.SIDE]
choices = [8, 16, 32]
help    = "the block computes SIDE x SIDE elements of C with as many threads"
---*/
#include <cuda_fp16.h>

// Idea: the same sums, but row and column have changed places. Now neighbouring lanes take
// neighbouring rows. On paper that is the same.
// Still wrong: the lanes of a warp read elements of A that are a whole row apart, and write elements
// of C that are, too. Of every sector one element is wanted.
template <typename T = float, int SIDE = 32>
__global__ void matmul_columns(const T* A, const T* B, float* C, int M, int N, int K) {
    int row = blockIdx.x * SIDE + threadIdx.x;  // <-
    int col = blockIdx.y * SIDE + threadIdx.y;  // <-
    if (row >= M || col >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k)
        sum += float(A[size_t(row) * K + k]) * float(B[size_t(k) * N + col]);
    C[size_t(row) * N + col] = sum;
}
