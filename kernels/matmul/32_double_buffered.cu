/*---
title   = "Vectors, on their way while others are multiplied"
types   = ["f32"]
block   = ["256"]
grid    = ["ceil_div(M, 128) * ceil_div(N, 256)"]
dynamic_shared = "STAGES * DEEP * (128 + 256) * 4"
compare = "30_register_tiles"
[tile]
array = "memory"
rows  = "128"
cols  = "DEEP"
pitch = "DEEP"
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

// Idea: 16 bytes per load and per read of a tile, 8 x 16 elements of C per thread, and copies that
// run on by themselves (cp.async): while one pair of tiles is multiplied, the next ones arrive.
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

template <typename T = float, int DEEP = 16, int STAGES = 3, int GROUP = 8>
__global__ void __launch_bounds__(256, 1)
    matmul_double_buffered(const T* A, const T* B, float* C, int M, int N, int K) {
    constexpr int ROWS = 128, COLS = 256;        // of C, per block
    constexpr int A_TILE = ROWS * DEEP, B_TILE = DEEP * COLS;
    extern __shared__ float4 memory[];
    T* tiles = reinterpret_cast<T*>(memory);     // of a stage: A's rows, behind them B's

    // Blocks with neighbouring numbers go down GROUP block rows, then one block column to the right.
    unsigned down = (M + ROWS - 1) / ROWS, across = (N + COLS - 1) / COLS;
    unsigned first = blockIdx.x / (GROUP * across) * GROUP;
    unsigned height = min(down - first, unsigned(GROUP)), place = blockIdx.x % (GROUP * across);
    int first_row = (first + place % height) * ROWS, first_col = place / height * COLS;

    // Where element k of a row of A's tile begins: four rows that are read at once must not meet in
    // a bank.
    auto a_place = [](int row, int k) { return row * DEEP + (k ^ row / 2 % 2 * 4); };
    auto fetch = [&](int step) {
        T* a = tiles + step % STAGES * (A_TILE + B_TILE);
        T* b = a + A_TILE;
        int first_k = step * DEEP;
        if (K % 4 == 0)  // every row of A begins at a whole vector
            for (int i = 0; i < A_TILE / 4; i += 256) {
                int row = (i + threadIdx.x) / (DEEP / 4), k = (i + threadIdx.x) % (DEEP / 4) * 4;
                bool inside = first_row + row < M && first_k + k < K;
                copy_16(a + a_place(row, k),
                        inside ? A + size_t(first_row + row) * K + first_k + k : A, inside * 16);
            }
        else
            for (int i = threadIdx.x; i < A_TILE; i += 256) {
                int row = i / DEEP, k = i % DEEP;
                bool inside = first_row + row < M && first_k + k < K;
                copy_4(a + a_place(row, k), inside ? A + size_t(first_row + row) * K + first_k + k : A,
                       inside * 4);
            }
        if (N % 4 == 0)  // every row of B and of C does
            for (int i = 0; i < B_TILE / 4; i += 256) {
                int k = (i + threadIdx.x) / (COLS / 4), col = (i + threadIdx.x) % (COLS / 4) * 4;
                bool inside = first_k + k < K && first_col + col < N;
                copy_16(b + k * COLS + col,
                        inside ? B + size_t(first_k + k) * N + first_col + col : B, inside * 16);
            }
        else
            for (int i = threadIdx.x; i < B_TILE; i += 256) {
                int k = i / COLS, col = i % COLS;
                bool inside = first_k + k < K && first_col + col < N;
                copy_4(b + i, inside ? B + size_t(first_k + k) * N + first_col + col : B,
                       inside * 4);
            }
    };

    // A warp computes 64 x 64 elements, a thread 8 rows of 4 vectors, 8 rows and 4 vectors apart.
    // Lanes alternate: one down, one across. So in every read some neighbours want the same
    // address, and half as many wavefronts do.
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int down_lane = lane % 2 + lane / 4 % 2 * 2 + lane / 16 * 4;  // 0 to 7
    int across_lane = lane / 2 % 2 + lane / 8 % 2 * 2;            // 0 to 3
    int my_row = warp / 4 * 64 + down_lane, my_col = warp % 4 * 64 + across_lane * 4;
    float sum[8][16] = {};

    int steps = (K + DEEP - 1) / DEEP;
    for (int ahead = 0; ahead < STAGES - 1; ++ahead) {
        if (ahead < steps) fetch(ahead);
        close_group();  // also an empty one, so that groups count steps
    }
    for (int step = 0; step < steps; ++step) {
        wait_for<STAGES - 2>();  // for the oldest group
        __syncthreads();         // everybody's has arrived, and all are done with the last tiles
        if (step + STAGES - 1 < steps) fetch(step + STAGES - 1);  // <- into their place
        close_group();
        const T* a_tile = tiles + step % STAGES * (A_TILE + B_TILE);
        const T* b_tile = a_tile + A_TILE + my_col;
#pragma unroll
        for (int k = 0; k < DEEP; k += 4) {
            float4 a[8], b[4];
            for (int i = 0; i < 8; ++i)
                a[i] = *reinterpret_cast<const float4*>(a_tile + a_place(my_row, k) + i * 8 * DEEP);
#pragma unroll
            for (int kk = 0; kk < 4; ++kk) {
                for (int j = 0; j < 4; ++j)
                    b[j] = *reinterpret_cast<const float4*>(b_tile + (k + kk) * COLS + j * 16);
                for (int i = 0; i < 8; ++i)
                    for (int j = 0; j < 16; ++j)
                        sum[i][j] += (&a[i].x)[kk] * (&b[j / 4].x)[j % 4];
            }
        }
    }

    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 16; j += 4) {
            int row = first_row + my_row + i * 8, col = first_col + my_col + j * 4;
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
