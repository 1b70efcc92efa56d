/*---
title   = "Tiles of A and B in shared memory"
types   = ["f32", "f16"]
block   = ["TILE", "TILE"]
grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
compare = "22_padded_tiles"
[tile]
array = "b_tile"
rows  = "TILE"
cols  = "TILE"
pitch = "TILE"
[knob.TILE]
choices = [8, 16, 32]
help    = "the block computes TILE x TILE elements of C, TILE steps of K at a time"
---*/
#include <cuda_fp16.h>

// Idea: what one thread fetches serves a whole row or column of the block. The block walks along K,
// tile by tile: it brings a tile of A and one of B into shared memory, waits, and multiplies them.
// Still wrong: each multiplication still reads two words, of shared memory now, which hands out 32
// in a clock. The multipliers wait for it.
template <typename T = float, int TILE = 16>
__global__ void matmul_tiled(const T* A, const T* B, float* C, int M, int N, int K) {
    __shared__ T a_tile[TILE][TILE];  // <-
    __shared__ T b_tile[TILE][TILE];  // <-
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        bool in_a = row < M && first + x < K, in_b = first + y < K && col < N;
        a_tile[y][x] = in_a ? A[size_t(row) * K + first + x] : T(0);  // <- beyond the edge: zeros
        b_tile[y][x] = in_b ? B[size_t(first + y) * N + col] : T(0);  // <-
        __syncthreads();  // <- both tiles are there
        for (int k = 0; k < TILE; ++k) sum += float(a_tile[y][k]) * float(b_tile[k][x]);  // <-
        __syncthreads();  // <- nobody needs them any more
    }
    if (row < M && col < N) C[size_t(row) * N + col] = sum;
}
