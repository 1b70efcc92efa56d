/*---
title   = "Tensor cores, with mma.sync"
types   = ["f16"]
arch    = "sm_80"
block   = ["256"]
grid    = ["ceil_div(M, 128) * ceil_div(N, 256)"]
dynamic_shared = "STAGES * DEEP * (128 + 256) * 2"
compare = "40_wmma"
[tile]
array = "memory"
rows  = "128"
cols  = "DEEP"
pitch = "DEEP"
[knob.DEEP]
choices = [32, 64]
help    = "elements of K in one stage"
[knob.STAGES]
choices = [2, 3, 4]
help    = "pairs of tiles that a block keeps room for: one is multiplied while the others arrive"
[knob.SWIZZLE]
choices = [0, 1]
help    = "1: the 16-byte chunks of a row change places with its number, 0: they lie in order"
---*/

// Idea: say yourself which lane holds what. ldmatrix takes eight rows of 16 bytes from wherever the
// lanes point, so the tiles can be swizzled, and cp.async keeps the next ones on their way. While
// the tensor cores multiply one set of fragments, the next set is read.
// Still wrong: every operand passes through registers, and 255 of them a thread are not enough to
// feed the tensor cores of a Hopper card. Its wgmma reads both tiles from shared memory by itself.
#include <cuda_fp16.h>

__device__ void copy_16(unsigned to, const void* from) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
                 : "memory");
}
__device__ void copy_16(unsigned to, const void* from, bool inside) {  // zeros where not inside
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(inside * 16)
                 : "memory");
}
__device__ void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int NEWER>  // groups that may still be on their way
__device__ void wait_for() {
    asm volatile("cp.async.wait_group %0;" ::"n"(NEWER) : "memory");
}

// Four 8 x 8 matrices: lane l points to row l % 8 of matrix l / 8, and gets two neighbouring
// elements of row l / 4 of each; of column l / 4 where it is turned on the way.
__device__ void read_four(unsigned (&to)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row));
}
__device__ void read_four_turned(unsigned (&to)[4], unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row));
}
// 16 x 8 of C += 16 x 16 of A * 16 x 8 of B
__device__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <typename T = __half, int DEEP = 32, int STAGES = 4, int SWIZZLE = 1>
__global__ void __launch_bounds__(256, 1)
    matmul_mma_sync(const T* A, const T* B, float* C, int M, int N, int K) {
    constexpr int ROWS = 128, COLS = 256, GROUP = 8;
    constexpr int A_CHUNKS = DEEP / 8, B_CHUNKS = COLS / 8;  // of 16 bytes, in a row
    constexpr int A_TILE = ROWS * A_CHUNKS * 16, STAGE = A_TILE + DEEP * B_CHUNKS * 16;  // bytes
    extern __shared__ uint4 memory[];
    const unsigned tiles = static_cast<unsigned>(__cvta_generic_to_shared(memory));
    // Where a chunk lies in a tile: rows that ldmatrix reads together in different banks.
    auto a_place = [](int row, int chunk) {
        int key = A_CHUNKS == 8 ? row % 8 : row / 2 % 4;
        return (row * A_CHUNKS + (SWIZZLE ? chunk ^ key : chunk)) * 16;
    };
    auto b_place = [](int row, int chunk) {
        return A_TILE + (row * B_CHUNKS + (SWIZZLE ? chunk ^ row % 8 : chunk)) * 16;
    };

    // Blocks with neighbouring numbers go down GROUP block rows, then one block column to the right.
    unsigned down = (M + ROWS - 1) / ROWS, across = (N + COLS - 1) / COLS;
    unsigned first = blockIdx.x / (GROUP * across) * GROUP;
    unsigned height = min(down - first, unsigned(GROUP)), number = blockIdx.x % (GROUP * across);
    int first_row = (first + number % height) * ROWS, first_col = number / height * COLS;

    // What this thread fetches: every A_STEP-th row of A's tile, every B_STEP-th row of B's.
    constexpr int A_STEP = 256 / A_CHUNKS, B_STEP = 256 / B_CHUNKS;
    int a_row = threadIdx.x / A_CHUNKS, a_chunk = threadIdx.x % A_CHUNKS;
    int b_row = threadIdx.x / B_CHUNKS, b_chunk = threadIdx.x % B_CHUNKS;
    const T* a_from = A + size_t(first_row + a_row) * K + a_chunk * 8;
    const T* b_from = B + size_t(b_row) * N + first_col + b_chunk * 8;
    int first_k = 0;                  // of the tiles that come next
    const bool whole = first_row + ROWS <= M && first_col + COLS <= N && N % 8 == 0 && K % 8 == 0;
    auto fetch_whole = [&](unsigned stage) {
#pragma unroll
        for (int i = 0; i < ROWS; i += A_STEP)
            copy_16(tiles + stage + a_place(a_row, a_chunk) + i * A_CHUNKS * 16,
                    a_from + size_t(i) * K);
#pragma unroll
        for (int i = 0; i < DEEP; i += B_STEP)
            copy_16(tiles + stage + b_place(b_row, b_chunk) + i * B_CHUNKS * 16,
                    b_from + size_t(i) * N);
    };
    auto fetch_at_edge = [&](unsigned stage) {  // also beyond the end of K: zeros
        if (K % 8 == 0) {
#pragma unroll
            for (int i = 0; i < ROWS; i += A_STEP)
                copy_16(tiles + stage + a_place(a_row, a_chunk) + i * A_CHUNKS * 16,
                        a_from + size_t(i) * K,
                        first_row + a_row + i < M && first_k + a_chunk * 8 < K);
        } else {  // rows begin anywhere: element by element
            T* tile = reinterpret_cast<T*>(memory) + stage / 2;
            for (int i = threadIdx.x; i < ROWS * DEEP; i += 256) {
                int row = i / DEEP, k = i % DEEP;
                bool inside = first_row + row < M && first_k + k < K;
                tile[a_place(row, k / 8) / 2 + k % 8] =
                    inside ? A[size_t(first_row + row) * K + first_k + k] : T(0);
            }
        }
        if (N % 8 == 0) {
#pragma unroll
            for (int i = 0; i < DEEP; i += B_STEP)
                copy_16(tiles + stage + b_place(b_row, b_chunk) + i * B_CHUNKS * 16,
                        b_from + size_t(i) * N,
                        first_k + b_row + i < K && first_col + b_chunk * 8 < N);
        } else {
            T* tile = reinterpret_cast<T*>(memory) + stage / 2;
            for (int i = threadIdx.x; i < DEEP * COLS; i += 256) {
                int k = i / COLS, col = i % COLS;
                bool inside = first_k + k < K && first_col + col < N;
                tile[b_place(k, col / 8) / 2 + col % 8] =
                    inside ? B[size_t(first_k + k) * N + first_col + col] : T(0);
            }
        }
    };
    auto fetch = [&](unsigned stage) {
        if (whole && first_k + DEEP <= K)
            fetch_whole(stage);
        else
            fetch_at_edge(stage);
        close_group();
        first_k += DEEP;
        a_from += DEEP;
        b_from += size_t(DEEP) * N;
    };
    auto after = [](unsigned stage) { return stage == (STAGES - 1) * STAGE ? 0 : stage + STAGE; };

    // A warp computes 64 x 64 elements: 4 fragments of A by 8 of B. Two sets of them: one is
    // multiplied while the other is read.
    constexpr int SLICES = DEEP / 16;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warp_row = warp / 4 * 64, warp_col = warp % 4 * 64;
    unsigned a[2][4][4], b[2][4][4], a_read[SLICES], b_read[4];
    for (int slice = 0; slice < SLICES; ++slice)
        a_read[slice] = tiles + a_place(warp_row + lane % 16, slice * 2 + lane / 16);
    for (int j = 0; j < 4; ++j)
        b_read[j] = tiles + b_place(lane % 16, warp_col / 8 + j * 2 + lane / 16);
    auto read_fragments = [&](int set, int slice, unsigned stage) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            read_four(a[set][i], a_read[slice] + stage + i * 16 * A_CHUNKS * 16);
#pragma unroll
        for (int j = 0; j < 4; ++j)
            read_four_turned(b[set][j], b_read[j] + stage + slice * 16 * B_CHUNKS * 16);
    };

    float sum[4][8][4] = {};
    unsigned reading = 0, writing = (STAGES - 1) * STAGE;
    for (int ahead = 0; ahead < STAGES - 1; ++ahead) fetch(ahead * STAGE);
    wait_for<STAGES - 2>();
    __syncthreads();
    read_fragments(0, 0, 0);
    for (int done = 0; done < K; done += DEEP) {
#pragma unroll
        for (int slice = 0; slice < SLICES; ++slice) {
            if (slice == SLICES - 1) {  // the rest of this stage is in registers
                wait_for<STAGES - 2>();
                __syncthreads();
                reading = after(reading);
            }
            read_fragments((slice + 1) % 2, (slice + 1) % SLICES, reading);  // <-
            if (slice == 0) {
                fetch(writing);
                writing = after(writing);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    int to = i % 2 ? 7 - j : j;  // there and back: neighbours share an operand
                    multiply(sum[i][to], a[slice % 2][i], b[slice % 2][to / 2][to % 2 * 2],
                             b[slice % 2][to / 2][to % 2 * 2 + 1]);
                }
        }
    }
    wait_for<0>();  // nothing may arrive in memory that is no longer this block's

#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                int row = first_row + warp_row + i * 16 + lane / 4 + half * 8;
                int col = first_col + warp_col + j * 8 + lane % 4 * 2;
                if (row >= M || col >= N) continue;
                float* to = C + size_t(row) * N + col;
                if (N % 2 == 0) {
                    *reinterpret_cast<float2*>(to) =
                        make_float2(sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
                } else {
                    to[0] = sum[i][j][half * 2];
                    if (col + 1 < N) to[1] = sum[i][j][half * 2 + 1];
                }
            }
}
