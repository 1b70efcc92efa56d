/*---
title   = "Register tiles"
types   = ["f32", "f16"]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16 * SIDE)", "ceil_div(M, 16 * SIDE)"]
[tile]
array = "a_tile"
rows  = "16 * SIDE"
cols  = "DEEP"
pitch = "DEEP"
[knob.SIDE]
choices = [1, 2, 4, 8]
help    = "a thread computes SIDE x SIDE elements of C"
[knob.DEEP]
choices = [8, 16, 32]
help    = "elements of K that are in shared memory at once"
---*/

// Idea: a thread keeps a square of C in its registers. What it reads from shared memory once, a
// column of A's tile and a row of B's, it uses SIDE times, so that SIDE * SIDE multiplications
// cost 2 * SIDE loads.
// Still wrong: all threads load, then all wait, then all multiply. While data travels nothing is
// computed, and while something is computed no data travels.
#include <cuda_fp16.h>

template <typename T = float, int SIDE = 8, int DEEP = 16>
__global__ void __launch_bounds__(256)
    matmul_register_tiles(const T* A, const T* B, float* C, int M, int N, int K) {
    constexpr int TILE = 16 * SIDE;  // of C, and of a block
    __shared__ T a_tile[TILE][DEEP], b_tile[DEEP][TILE];
    int thread = threadIdx.y * 16 + threadIdx.x;
    int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;

    float sum[SIDE][SIDE] = {};
    for (int first_k = 0; first_k < K; first_k += DEEP) {
        for (int i = thread; i < TILE * DEEP; i += 256) {  // along A's rows
            int row = first_row + i / DEEP, k = first_k + i % DEEP;
            a_tile[i / DEEP][i % DEEP] = row < M && k < K ? A[size_t(row) * K + k] : T(0);
        }
        for (int i = thread; i < DEEP * TILE; i += 256) {  // along B's rows
            int k = first_k + i / TILE, col = first_col + i % TILE;
            b_tile[i / TILE][i % TILE] = k < K && col < N ? B[size_t(k) * N + col] : T(0);
        }
        __syncthreads();
        for (int k = 0; k < DEEP; ++k) {
            float a[SIDE], b[SIDE];
            for (int i = 0; i < SIDE; ++i) a[i] = float(a_tile[threadIdx.y + 16 * i][k]);
            for (int j = 0; j < SIDE; ++j) b[j] = float(b_tile[k][threadIdx.x + 16 * j]);
            for (int i = 0; i < SIDE; ++i)
                for (int j = 0; j < SIDE; ++j) sum[i][j] += a[i] * b[j];  // <-
        }
        __syncthreads();  // all have read the tiles: the next ones may come
    }

    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) {
            int row = first_row + threadIdx.y + 16 * i, col = first_col + threadIdx.x + 16 * j;
            if (row < M && col < N) C[size_t(row) * N + col] = sum[i][j];
        }
}
