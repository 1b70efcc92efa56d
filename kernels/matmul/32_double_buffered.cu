/*---
title   = "Vectors, on their way while others are multiplied"
types   = ["f32"]
arch    = "sm_80"
block   = ["256"]
grid    = ["ceil_div(M, 128) * ceil_div(N, 256)"]
dynamic_shared = "STAGES * DEEP * (128 + 256) * 4"
compare = "30_register_tiles"
[tile]
array = "memory"
rows  = "DEEP"
cols  = "128"
pitch = "128"
[knob.DEEP]
choices = [8, 16]
help    = "elements of K in one stage"
[knob.STAGES]
choices = [2, 3, 4]
help    = "pairs of tiles that a block keeps room for: one is multiplied while the others arrive"
[knob.GROUP]
choices = [1, 8]
help    = "block rows that are computed together, so that blocks running at once share more"
---*/

// Idea: 16 bytes per load and per read of a tile, 8 x 16 elements of C per thread, and tiles that
// arrive while others are multiplied: those of B by themselves (cp.async), those of A by way of
// registers, because they are turned, so that a thread's elements of A lie side by side as well.
// Still wrong: a multiprocessor's multiply-add units for float are now nearly always busy, and that
// is the end of this road. Its tensor cores, which could do many times as much, stand idle.

// `bytes` of 16 (or 4) from global into shared memory, the rest zeros. It arrives some time before
// wait_for() lets it pass.
__device__ void copy_16(void* to, const void* from, int bytes) {
    unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                 "r"(bytes)
                 : "memory");
}
__device__ void copy_4(void* to, const void* from, int bytes) {
    unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(bytes)
                 : "memory");
}
__device__ void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int NEWER>  // groups that may still be on their way
__device__ void wait_for() {
    asm volatile("cp.async.wait_group %0;" ::"n"(NEWER) : "memory");
}

template <typename T = float, int DEEP = 16, int STAGES = 2, int GROUP = 8>
__global__ void __launch_bounds__(256, 1)
    matmul_double_buffered(const T* A, const T* B, float* C, int M, int N, int K) {
    constexpr int ROWS = 128, COLS = 256;  // of C, per block
    constexpr int A_TILE = DEEP * ROWS, STAGE = A_TILE + DEEP * COLS;
    extern __shared__ float4 memory[];
    T* const tiles = reinterpret_cast<T*>(memory);  // of a stage: A's columns, behind them B's rows
    // Where a row of A lies in column k of its tile: lanes that write four k of some rows at once
    // must not meet in a bank.
    auto place = [](int k, int row) { return k * ROWS + (row ^ k / 4 * (128 / DEEP)); };

    // Blocks with neighbouring numbers go down GROUP block rows, then one block column to the right.
    unsigned down = (M + ROWS - 1) / ROWS, across = (N + COLS - 1) / COLS;
    unsigned first = blockIdx.x / (GROUP * across) * GROUP;
    unsigned height = min(down - first, unsigned(GROUP)), number = blockIdx.x % (GROUP * across);
    int first_row = (first + number % height) * ROWS, first_col = number / height * COLS;

    constexpr int HELD = ROWS * DEEP / 4 / 256;  // vectors of A on their way through registers
    float4 held[HELD];
    auto load_a = [&](int first_k) {
#pragma unroll
        for (int i = 0; i < HELD; ++i) {
            int index = threadIdx.x + i * 256;
            int row = first_row + index / (DEEP / 4), k = first_k + index % (DEEP / 4) * 4;
            const T* from = A + size_t(row) * K + k;
            held[i] = make_float4(0, 0, 0, 0);
            if (row >= M || k >= K) continue;
            if (K % 4 == 0) {  // every row begins at a whole vector
                held[i] = *reinterpret_cast<const float4*>(from);
            } else {
                held[i].x = from[0];
                if (k + 1 < K) held[i].y = from[1];
                if (k + 2 < K) held[i].z = from[2];
                if (k + 3 < K) held[i].w = from[3];
            }
        }
    };
    auto store_a = [&](int stage) {  // turned
#pragma unroll
        for (int i = 0; i < HELD; ++i) {
            int index = threadIdx.x + i * 256;
            int row = index / (DEEP / 4), k = index % (DEEP / 4) * 4;
            T* to = tiles + stage * STAGE + place(k, row);
            to[0] = held[i].x;
            to[ROWS] = held[i].y;
            to[2 * ROWS] = held[i].z;
            to[3 * ROWS] = held[i].w;
        }
    };
    auto copy_b = [&](int stage, int first_k) {
        T* tile = tiles + stage * STAGE + A_TILE;
        if (N % 4 == 0)  // every row of B and of C begins at a whole vector
#pragma unroll
            for (int i = 0; i < DEEP * COLS / 4; i += 256) {
                int k = (i + threadIdx.x) / (COLS / 4), col = (i + threadIdx.x) % (COLS / 4) * 4;
                bool inside = first_k + k < K && first_col + col < N;
                copy_16(tile + k * COLS + col,
                        inside ? B + size_t(first_k + k) * N + first_col + col : B, inside * 16);
            }
        else
            for (int i = threadIdx.x; i < DEEP * COLS; i += 256) {
                int k = i / COLS, col = i % COLS;
                bool inside = first_k + k < K && first_col + col < N;
                copy_4(tile + i, inside ? B + size_t(first_k + k) * N + first_col + col : B,
                       inside * 4);
            }
    };

    // A warp computes 64 x 64 elements, a thread 8 x 16: squares of 4 x 4, 32 rows and 16 columns
    // apart. Lanes alternate, one down, one across: so in every read neighbours want the same
    // address, and half as many wavefronts serve it.
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int down_lane = lane % 2 + lane / 4 % 2 * 2 + lane / 16 * 4;  // 0 to 7
    int across_lane = lane / 2 % 2 + lane / 8 % 2 * 2;            // 0 to 3
    int my_row = warp / 4 * 64 + down_lane * 4, my_col = warp % 4 * 64 + across_lane * 4;
    float sum[8][16] = {};

    for (int ahead = 0; ahead < STAGES - 1; ++ahead) {
        load_a(ahead * DEEP);
        copy_b(ahead, ahead * DEEP);
        close_group();
        store_a(ahead);
    }
    int reading = 0, writing = STAGES - 1;
    for (int first_k = 0; first_k < K; first_k += DEEP) {
        wait_for<STAGES - 2>();  // for the oldest group
        __syncthreads();         // everybody's has arrived, and all are done with the last tiles
        load_a(first_k + (STAGES - 1) * DEEP);  // <- what comes next, beyond K zeros
        copy_b(writing, first_k + (STAGES - 1) * DEEP);
        close_group();
        const T* a_tile = tiles + reading * STAGE;
        const T* b_tile = a_tile + A_TILE + my_col;
#pragma unroll
        for (int k = 0; k < DEEP; ++k) {
            float a[8], b[16];
#pragma unroll
            for (int i = 0; i < 8; i += 4)
                *reinterpret_cast<float4*>(&a[i]) =
                    *reinterpret_cast<const float4*>(a_tile + place(k, my_row) + i * 8);
#pragma unroll
            for (int j = 0; j < 16; j += 4)
                *reinterpret_cast<float4*>(&b[j]) =
                    *reinterpret_cast<const float4*>(b_tile + k * COLS + j * 4);
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 16; ++j) sum[i][j] += a[i] * b[j];
        }
        store_a(writing);  // they have arrived under the multiplications
        reading = reading + 1 == STAGES ? 0 : reading + 1;
        writing = writing + 1 == STAGES ? 0 : writing + 1;
    }
    wait_for<0>();  // nothing may arrive in memory that is no longer this block's

#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 16; j += 4) {
            int row = first_row + my_row + i / 4 * 32 + i % 4, col = first_col + my_col + j * 4;
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
