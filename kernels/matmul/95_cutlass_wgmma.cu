/*---
title   = "CuTe, with the tensor cores of a Hopper card"
types   = ["f16"]
arch    = "sm_90a"
headers = "cutlass"
block   = ["384"]
grid    = ["ceil_div(M, 128) * ceil_div(N, 256)"]
dynamic_shared = "STAGES * (64 * (128 + 256) * 2 + 16)"
compare = "94_cutlass_tensor"
[tile]
array = "memory"
rows  = "128"
cols  = "64"
pitch = "64"
[knob.STAGES]
choices = [2, 3, 4]
help    = "pairs of tiles that a block keeps room for: one is multiplied while the others arrive"
---*/

// Idea: wgmma is told where both tiles lie in shared memory and how they are swizzled, and multiplies
// them by itself: no operand passes through registers, and the next product may be asked for before
// this one is done. So four warps only fetch, and eight only ask for products.
// Still wrong: it runs on this one architecture. And four warps cannot ask for tiles as fast as they
// are multiplied; the tensor memory accelerator, asked by a single thread, could.
#include <cuda_fp16.h>

#include <cute/tensor.hpp>
#include <cutlass/arch/barrier.h>

template <typename T = __half, int STAGES = 4>
__global__ void __launch_bounds__(384, 1)
    matmul_cutlass_wgmma(const T* A, const T* B, float* C, int M, int N, int K) {
    using namespace cute;
    using Barrier = cutlass::arch::ClusterBarrier;
    constexpr int ROWS = 128, COLS = 256, DEEP = 64, GROUP = 8;
    // Tiles as wgmma wants them: rows of 128 bytes, whose chunks change places with their number.
    auto a_layout = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{},
                                  make_shape(Int<ROWS>{}, Int<DEEP>{}, Int<STAGES>{}));
    auto b_layout = tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{},
                                  make_shape(Int<COLS>{}, Int<DEEP>{}, Int<STAGES>{}));
    extern __shared__ __align__(1024) unsigned char memory[];
    half_t* a_memory = reinterpret_cast<half_t*>(memory);
    half_t* b_memory = a_memory + cosize(a_layout);
    uint64_t* full = reinterpret_cast<uint64_t*>(b_memory + cosize(b_layout));
    uint64_t* empty = full + STAGES;
    Tensor a_tiles = make_tensor(make_smem_ptr(a_memory), a_layout);  // (row, k, stage)
    Tensor b_tiles = make_tensor(make_smem_ptr(b_memory), b_layout);  // (col, k, stage)

    // Blocks with neighbouring numbers go down GROUP block rows, then one block column to the right.
    unsigned down = (M + ROWS - 1) / ROWS, across = (N + COLS - 1) / COLS;
    unsigned first = blockIdx.x / (GROUP * across) * GROUP;
    unsigned height = min(down - first, unsigned(GROUP)), number = blockIdx.x % (GROUP * across);
    int first_row = (first + number % height) * ROWS, first_col = number / height * COLS;
    int steps = (K + DEEP - 1) / DEEP;

    if (threadIdx.x == 0)
        for (int stage = 0; stage < STAGES; ++stage) {
            Barrier::init(full + stage, 128);  // of all threads that fetch
            Barrier::init(empty + stage, 2);   // of one of each four warps that multiply
        }
    cutlass::arch::fence_barrier_init();
    __syncthreads();

    if (threadIdx.x >= 256) {  // four warps fetch
        int thread = threadIdx.x - 256;
        auto arrived = [&](int step) {
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // wgmma may look now
            Barrier::arrive(full + step % STAGES);
        };
        constexpr int LATE = STAGES - 2;  // groups under way beside the newest
        for (int step = 0; step < steps; ++step) {
            int stage = step % STAGES, first_k = step * DEEP;
            Barrier::wait(empty + stage, step / STAGES % 2 ^ 1);
            if (K % 8 == 0 && N % 8 == 0) {
                CUTE_UNROLL
                for (int i = 0; i < ROWS; i += 16) {
                    int row = i + thread / 8, k = thread % 8 * 8;
                    bool inside = first_row + row < M && first_k + k < K;
                    SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>::copy(
                        *reinterpret_cast<const uint128_t*>(
                            A + (inside ? size_t(first_row + row) * K + first_k + k : 0)),
                        *reinterpret_cast<uint128_t*>(&a_tiles(row, k, stage)), inside);
                }
                CUTE_UNROLL
                for (int i = 0; i < DEEP; i += 4) {
                    int k = i + thread / 32, col = thread % 32 * 8;
                    bool inside = first_k + k < K && first_col + col < N;
                    SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>::copy(
                        *reinterpret_cast<const uint128_t*>(
                            B + (inside ? size_t(first_k + k) * N + first_col + col : 0)),
                        *reinterpret_cast<uint128_t*>(&b_tiles(col, k, stage)), inside);
                }
                cp_async_fence();
                if (step >= LATE) {
                    cp_async_wait<LATE>();
                    arrived(step - LATE);
                }
            } else {  // rows begin anywhere: element by element
                for (int i = thread; i < ROWS * DEEP; i += 128) {
                    int row = i / DEEP, k = i % DEEP;
                    bool inside = first_row + row < M && first_k + k < K;
                    a_tiles(row, k, stage) =
                        half_t(inside ? A[size_t(first_row + row) * K + first_k + k] : T(0));
                }
                for (int i = thread; i < DEEP * COLS; i += 128) {
                    int k = i / COLS, col = i % COLS;
                    bool inside = first_k + k < K && first_col + col < N;
                    b_tiles(col, k, stage) =
                        half_t(inside ? B[size_t(first_k + k) * N + first_col + col] : T(0));
                }
                arrived(step);
            }
        }
        if (K % 8 == 0 && N % 8 == 0) {
            cp_async_wait<0>();
            for (int step = max(0, steps - LATE); step < steps; ++step) arrived(step);
        }
        return;
    }

    // Eight warps multiply: 64 x 256 elements of C for each four of them.
    TiledMMA mma = make_tiled_mma(
        SM90_64x256x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>{}, Layout<Shape<_2, _1, _1>>{});
    ThrMMA mine = mma.get_thread_slice(threadIdx.x);
    Tensor a = mine.partition_fragment_A(a_tiles);  // no elements: where they lie
    Tensor b = mine.partition_fragment_B(b_tiles);
    Tensor sum = partition_fragment_C(mma, make_shape(Int<ROWS>{}, Int<COLS>{}));
    clear(sum);
    for (int step = 0; step < steps; ++step) {
        int stage = step % STAGES;
        Barrier::wait(full + stage, step / STAGES % 2);
        warpgroup_fence_operand(sum);
        warpgroup_arrive();
        gemm(mma, a(_, _, _, stage), b(_, _, _, stage), sum);  // <-
        warpgroup_commit_batch();
        warpgroup_wait<1>();  // the product before this one is done with its tiles
        if (step > 0 && threadIdx.x % 128 == 0) Barrier::arrive(empty + (step - 1) % STAGES);
    }
    warpgroup_wait<0>();
    warpgroup_fence_operand(sum);

    Tensor place = mine.partition_C(make_identity_tensor(make_shape(Int<ROWS>{}, Int<COLS>{})));
    CUTE_UNROLL
    for (int i = 0; i < size(sum); i += 2) {  // neighbours along a row
        int row = first_row + get<0>(place(i)), col = first_col + get<1>(place(i));
        if (row >= M || col >= N) continue;
        float* to = C + size_t(row) * N + col;
        if (N % 2 == 0) {
            *reinterpret_cast<float2*>(to) = make_float2(sum(i), sum(i + 1));
        } else {
            to[0] = sum(i);
            if (col + 1 < N) to[1] = sum(i + 1);
        }
    }
}
