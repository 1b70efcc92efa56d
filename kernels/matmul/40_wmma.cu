/*---
title   = "Tensor cores, with WMMA"
types   = ["f16"]
block   = ["128"]
grid    = ["ceil_div(N, 32 * SIDE)", "ceil_div(M, 32 * SIDE)"]
compare = "30_register_tiles"
[tile]
array = "a_tile"
rows  = "32 * SIDE"
cols  = "DEEP"
pitch = "DEEP + PAD"
[knob.SIDE]
choices = [1, 2, 4]
help    = "a warp computes SIDE x SIDE fragments of 16 x 16 elements of C"
[knob.DEEP]
choices = [16, 32, 64]
help    = "elements of K that are in shared memory at once"
[knob.PAD]
choices = [0, 8, 16]
help    = "unused elements at the end of each row of a tile"
---*/

// Idea: a tensor core multiplies 16 x 16 by 16 x 16 elements of half in one instruction of a whole
// warp, and adds up in float. Which lane holds which element of such a fragment is the compiler's
// business: load_matrix_sync() and store_matrix_sync() know.
// Still wrong: the tensor cores wait. Nothing is on its way while they work, and where a fragment's
// layout is a secret, only padding can keep its rows out of the same banks.
#include <cuda_fp16.h>
#include <mma.h>

// ROWS x COLS elements of a rows x cols matrix, from (first_row, first_col) on, zeros beyond its
// edges.
template <int ROWS, int COLS, int PITCH>
__device__ void bring(__half* tile, const __half* matrix, int rows, int cols, int first_row,
                      int first_col) {
    if (cols % 8 == 0)  // every row begins at a whole vector
        for (int i = threadIdx.x; i < ROWS * COLS / 8; i += 128) {
            int row = i / (COLS / 8), col = i % (COLS / 8) * 8;
            bool inside = first_row + row < rows && first_col + col < cols;
            uint4 eight = {};
            if (inside)
                eight = *reinterpret_cast<const uint4*>(
                    &matrix[size_t(first_row + row) * cols + first_col + col]);
            *reinterpret_cast<uint4*>(&tile[row * PITCH + col]) = eight;
        }
    else
        for (int i = threadIdx.x; i < ROWS * COLS; i += 128) {
            int row = i / COLS, col = i % COLS;
            bool inside = first_row + row < rows && first_col + col < cols;
            tile[row * PITCH + col] =
                inside ? matrix[size_t(first_row + row) * cols + first_col + col] : __half(0);
        }
}

template <typename T = __half, int SIDE = 4, int DEEP = 32, int PAD = 8>
__global__ void __launch_bounds__(128)
    matmul_wmma(const T* A, const T* B, float* C, int M, int N, int K) {
    using namespace nvcuda::wmma;
    constexpr int TILE = 32 * SIDE;  // of C: two warps down, two across
    __shared__ alignas(32) T a_tile[TILE][DEEP + PAD], b_tile[DEEP][TILE + PAD];
    __shared__ alignas(32) float edge[4][16][16];  // a warp's fragment that C has no room for
    int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warp_row = warp / 2 * 16 * SIDE, warp_col = warp % 2 * 16 * SIDE;

    fragment<accumulator, 16, 16, 16, float> sum[SIDE][SIDE];
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) fill_fragment(sum[i][j], 0.0f);
    for (int first_k = 0; first_k < K; first_k += DEEP) {
        bring<TILE, DEEP, DEEP + PAD>(a_tile[0], A, M, K, first_row, first_k);
        bring<DEEP, TILE, TILE + PAD>(b_tile[0], B, K, N, first_k, first_col);
        __syncthreads();
        for (int k = 0; k < DEEP; k += 16) {
            fragment<matrix_a, 16, 16, 16, __half, row_major> a[SIDE];
            fragment<matrix_b, 16, 16, 16, __half, row_major> b[SIDE];
            for (int i = 0; i < SIDE; ++i)
                load_matrix_sync(a[i], &a_tile[warp_row + i * 16][k], DEEP + PAD);
            for (int j = 0; j < SIDE; ++j)
                load_matrix_sync(b[j], &b_tile[k][warp_col + j * 16], TILE + PAD);
            for (int i = 0; i < SIDE; ++i)
                for (int j = 0; j < SIDE; ++j)
                    mma_sync(sum[i][j], a[i], b[j], sum[i][j]);  // <-
        }
        __syncthreads();  // all have read the tiles: the next ones may come
    }

#pragma unroll
    for (int i = 0; i < SIDE; ++i)
#pragma unroll
        for (int j = 0; j < SIDE; ++j) {
            int row = first_row + warp_row + i * 16, col = first_col + warp_col + j * 16;
            if (N % 8 == 0 && row + 16 <= M && col + 16 <= N) {
                store_matrix_sync(&C[size_t(row) * N + col], sum[i][j], N, mem_row_major);
                continue;
            }
            store_matrix_sync(edge[warp][0], sum[i][j], 16, mem_row_major);
            __syncwarp();
            for (int e = lane; e < 256; e += 32)
                if (row + e / 16 < M && col + e % 16 < N)
                    C[size_t(row + e / 16) * N + col + e % 16] = edge[warp][e / 16][e % 16];
            __syncwarp();
        }
}
