/*---
title   = "Vectors into the registers"
types   = ["f32"]
block   = ["16", "16"]
grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)"]
compare = "30_register_tiles"
[tile]
array = "a_tile"
rows  = "DEEP"
cols  = "128"
pitch = "128 + PAD"
[knob.DEEP]
choices = [8, 16]
help    = "elements of K that are in shared memory at once"
[knob.PAD]
choices = [0, 4, 8]
help    = "unused elements at the end of each row of A's tile"
---*/

// Idea: 16 bytes per load, and per read of a tile. For that a thread's elements of A must lie side
// by side in the tile, so A is transposed on its way in: k is its row there.
// Still wrong: all threads load, then all wait, then all multiply, as before.
template <typename T = float, int DEEP = 16, int PAD = 4>
__global__ void __launch_bounds__(256, 2)
    matmul_vectors(const T* A, const T* B, float* C, int M, int N, int K) {
    __shared__ __align__(16) T a_tile[DEEP][128 + PAD];
    __shared__ __align__(16) T b_tile[DEEP][128];
    int thread = threadIdx.y * 16 + threadIdx.x;
    int first_row = blockIdx.y * 128, first_col = blockIdx.x * 128;

    float sum[8][8] = {};
    for (int first_k = 0; first_k < K; first_k += DEEP) {
#pragma unroll
        for (int i = thread; i < 128 * DEEP / 4; i += 256) {  // along A's rows
            int row = i / (DEEP / 4), k = i % (DEEP / 4) * 4;
            const T* from = A + size_t(first_row + row) * K + first_k + k;
            float4 four = make_float4(0, 0, 0, 0);
            if (first_row + row < M && first_k + k < K) {
                if (K % 4 == 0) {  // every row begins at a whole vector
                    four = *reinterpret_cast<const float4*>(from);
                } else {
                    four.x = from[0];
                    if (first_k + k + 1 < K) four.y = from[1];
                    if (first_k + k + 2 < K) four.z = from[2];
                    if (first_k + k + 3 < K) four.w = from[3];
                }
            }
            a_tile[k][row] = four.x;  // <- transposed: one element into each of four rows
            a_tile[k + 1][row] = four.y;
            a_tile[k + 2][row] = four.z;
            a_tile[k + 3][row] = four.w;
        }
#pragma unroll
        for (int i = thread; i < DEEP * 128 / 4; i += 256) {  // along B's rows
            int k = i / 32, col = i % 32 * 4;
            const T* from = B + size_t(first_k + k) * N + first_col + col;
            float4 four = make_float4(0, 0, 0, 0);
            if (first_k + k < K && first_col + col < N) {
                if (N % 4 == 0) {
                    four = *reinterpret_cast<const float4*>(from);
                } else {
                    four.x = from[0];
                    if (first_col + col + 1 < N) four.y = from[1];
                    if (first_col + col + 2 < N) four.z = from[2];
                    if (first_col + col + 3 < N) four.w = from[3];
                }
            }
            *reinterpret_cast<float4*>(&b_tile[k][col]) = four;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEEP; ++k) {
            float a[8], b[8];
#pragma unroll
            for (int i = 0; i < 8; i += 4) {  // <- two reads of 16 bytes for eight elements
                *reinterpret_cast<float4*>(&a[i]) =
                    *reinterpret_cast<const float4*>(&a_tile[k][threadIdx.y * 4 + i * 16]);
                *reinterpret_cast<float4*>(&b[i]) =
                    *reinterpret_cast<const float4*>(&b_tile[k][threadIdx.x * 4 + i * 16]);
            }
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            int row = first_row + threadIdx.y * 4 + i / 4 * 64 + i % 4;
            int col = first_col + threadIdx.x * 4 + j * 16;
            if (row >= M || col >= N) continue;
            float* to = C + size_t(row) * N + col;
            if (N % 4 == 0)
                *reinterpret_cast<float4*>(to) =
                    make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
            else
                for (int e = 0; e < 4; ++e)
                    if (col + e < N) to[e] = sum[i][j + e];
        }
}
