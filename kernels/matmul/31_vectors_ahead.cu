/*---
title   = "Vectors, loaded a step ahead"
types   = ["f32"]
block   = ["16", "16"]
grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)"]
compare = "31_vectors"
[tile]
array = "a_tile"
rows  = "TILES * DEEP"
cols  = "128"
pitch = "128 + PAD"
[knob.DEEP]
choices = [8, 16]
help    = "elements of K that are in shared memory at once"
[knob.PAD]
choices = [0, 4]
help    = "unused elements at the end of each row of A's tile"
[knob.TILES]
choices = [1, 2]
help    = "tiles of each matrix: with two, the next is filled while this one is multiplied"
---*/

// Idea: the vectors of the next step are loaded into registers before the multiplications of this
// one, and stored into a second pair of tiles behind them. So they travel while the warps multiply.
// Still wrong: they wait in registers, and every thread stores them by hand.
template <typename T = float, int DEEP = 8, int PAD = 4, int TILES = 2>
__global__ void __launch_bounds__(256, 2)
    matmul_vectors_ahead(const T* A, const T* B, float* C, int M, int N, int K) {
    __shared__ __align__(16) T a_tile[TILES][DEEP][128 + PAD];
    __shared__ __align__(16) T b_tile[TILES][DEEP][128];
    constexpr int HELD = DEEP / 8;  // vectors of each matrix that a thread holds
    int thread = threadIdx.y * 16 + threadIdx.x;
    int first_row = blockIdx.y * 128, first_col = blockIdx.x * 128;

    float4 a_held[HELD], b_held[HELD];
    auto load = [&](int first_k) {  // beyond the matrices zeros
#pragma unroll
        for (int h = 0; h < HELD; ++h) {  // along A's rows
            int i = thread + h * 256, row = first_row + i / (DEEP / 4);
            int k = first_k + i % (DEEP / 4) * 4;
            const T* from = A + size_t(row) * K + k;
            a_held[h] = make_float4(0, 0, 0, 0);
            if (row < M && k < K) {
                if (K % 4 == 0) {  // every row begins at a whole vector
                    a_held[h] = *reinterpret_cast<const float4*>(from);
                } else {
                    a_held[h].x = from[0];
                    if (k + 1 < K) a_held[h].y = from[1];
                    if (k + 2 < K) a_held[h].z = from[2];
                    if (k + 3 < K) a_held[h].w = from[3];
                }
            }
        }
#pragma unroll
        for (int h = 0; h < HELD; ++h) {  // along B's rows
            int i = thread + h * 256, k = first_k + i / 32, col = first_col + i % 32 * 4;
            const T* from = B + size_t(k) * N + col;
            b_held[h] = make_float4(0, 0, 0, 0);
            if (k < K && col < N) {
                if (N % 4 == 0) {
                    b_held[h] = *reinterpret_cast<const float4*>(from);
                } else {
                    b_held[h].x = from[0];
                    if (col + 1 < N) b_held[h].y = from[1];
                    if (col + 2 < N) b_held[h].z = from[2];
                    if (col + 3 < N) b_held[h].w = from[3];
                }
            }
        }
    };
    auto store = [&](int tile) {
#pragma unroll
        for (int h = 0; h < HELD; ++h) {
            int i = thread + h * 256, row = i / (DEEP / 4), k = i % (DEEP / 4) * 4;
            a_tile[tile][k][row] = a_held[h].x;  // transposed, as before
            a_tile[tile][k + 1][row] = a_held[h].y;
            a_tile[tile][k + 2][row] = a_held[h].z;
            a_tile[tile][k + 3][row] = a_held[h].w;
            *reinterpret_cast<float4*>(&b_tile[tile][i / 32][i % 32 * 4]) = b_held[h];
        }
    };

    float sum[8][8] = {};
    load(0);
    store(0);
    __syncthreads();
    for (int first_k = 0, tile = 0; first_k < K; first_k += DEEP) {
        load(first_k + DEEP);  // <- it travels under the multiplications
#pragma unroll
        for (int k = 0; k < DEEP; ++k) {
            float a[8], b[8];
#pragma unroll
            for (int i = 0; i < 8; i += 4) {
                *reinterpret_cast<float4*>(&a[i]) =
                    *reinterpret_cast<const float4*>(&a_tile[tile][k][threadIdx.y * 4 + i * 16]);
                *reinterpret_cast<float4*>(&b[i]) =
                    *reinterpret_cast<const float4*>(&b_tile[tile][k][threadIdx.x * 4 + i * 16]);
            }
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
        }
        if (TILES == 1) __syncthreads();  // all have read the only tile
        tile = (tile + 1) % TILES;
        store(tile);  // <- it has arrived
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
