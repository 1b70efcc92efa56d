/*---
title   = "Tiles read down their columns, and padded"
types   = ["f32", "f16"]
block   = ["TILE", "TILE"]
grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
compare = "20_shared_tiles"
[tile]
array = "a_tile"
rows  = "TILE"
cols  = "TILE"
pitch = "TILE + PAD"
[knob.TILE]
choices = [8, 16, 32]
help    = "the block computes TILE x TILE elements of C, TILE steps of K at a time"
[knob.PAD]
choices = [0, 1]
help    = "elements between the rows of the tiles"
---*/
#include <cuda_fp16.h>

// Idea: the lanes of a warp take the rows of C, as in 12, but only inside the block. Global memory
// does not notice: the tiles are still fetched along their rows, and C is turned in shared memory
// before it is written. Each lane now reads a row of A's tile of its own.
// Still wrong: without padding those words lie in one bank. And with it each multiplication still
// reads two words of shared memory.
template <typename T = float, int TILE = 32, int PAD = 0>
__global__ void matmul_padded(const T* A, const T* B, float* C, int M, int N, int K) {
    __shared__ T a_tile[TILE][TILE + PAD];  // <-
    __shared__ T b_tile[TILE][TILE + PAD];
    __shared__ float c_tile[TILE][TILE + PAD];  // <-
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        bool in_a = row < M && first + x < K, in_b = first + y < K && col < N;
        a_tile[y][x] = in_a ? A[size_t(row) * K + first + x] : T(0);
        b_tile[y][x] = in_b ? B[size_t(first + y) * N + col] : T(0);
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += float(a_tile[x][k]) * float(b_tile[k][y]);  // <-
        __syncthreads();
    }
    c_tile[x][y] = sum;  // <- row x, column y of the block
    __syncthreads();     // <-
    if (row < M && col < N) C[size_t(row) * N + col] = c_tile[y][x];  // <-
}
