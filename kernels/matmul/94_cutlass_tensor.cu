/*---
title   = "CUTLASS, with tensor cores"
types   = ["f16"]
arch    = "sm_90a"
headers = "cutlass"
block   = ["384"]
grid    = ["min(ceil_div(M, 128) * ceil_div(N, COLS), BLOCKS)"]
dynamic_shared = "STAGES * (64 * (128 + COLS) * 2 + 16)"
compare = "95_wgmma"
[tile]
array = "memory"
rows  = "128"
cols  = "64"
pitch = "64"
[[tensor]]
of      = "A"
box     = ["128", "64"]
swizzle = "128B"
[[tensor]]
of      = "B"
box     = ["64", "64"]
swizzle = "128B"
[knob.STAGES]
choices = [3, 4]
help    = "pairs of tiles that a block keeps room for: one is multiplied while the others arrive"
[knob.BLOCKS]
choices = [114, 132]
help    = "blocks, one on each multiprocessor: an H100 PCIe has 114, H100 SXM and H200 132"
[knob.COLS]
choices = [64, 128, 256]
help    = "columns of C in a block's tile: narrow ones give a small or narrow C more blocks"
---*/

// Idea: CUTLASS 3 is written in CuTe, and so is this: layouts say where each element lies, an atom
// says what the hardware does with them, and the library works out descriptors, fragments and which
// thread has what. Change the atom, and everything else follows.
// Still wrong: its own kernels go on from here, with clusters of blocks that share their tiles.
#include <cuda_fp16.h>

#include <cute/tensor.hpp>
#include <cutlass/arch/barrier.h>

struct alignas(64) TensorMap {
    unsigned long long opaque[16];
};

// 64 x 64 elements by 128 threads; place(row, col): where one belongs. A thread asks for all of its
// 32 before it stores the first: it waits once, and not for each.
template <typename T, typename Place>
__device__ void copy_box(const T* from, int rows, int cols, int first_col, int first_row,
                         int thread, Place place) {
    const int row = thread / 64, col = thread % 64;
    from += size_t(first_row + row) * cols + first_col + col;
    T held[32];
    CUTE_UNROLL
    for (int i = 0; i < 32; ++i) {
        bool inside = first_row + row + 2 * i < rows && first_col + col < cols;
        held[i] = inside ? from[size_t(2 * i) * cols] : T(0);
    }
    CUTE_UNROLL
    for (int i = 0; i < 32; ++i) place(row + 2 * i, col) = cute::half_t(held[i]);
}

template <typename T = __half, int STAGES = 4, int BLOCKS = 132, int COLS = 256>
__global__ void __launch_bounds__(384, 1)
    matmul_cutlass_tensor(const T* A, const T* B, float* C, int M, int N, int K,
                          const __grid_constant__ TensorMap a_map,
                          const __grid_constant__ TensorMap b_map) {
    using namespace cute;
    using Barrier = cutlass::arch::ClusterBarrier;
    using Full = cutlass::arch::ClusterTransactionBarrier;  // it counts bytes as well
    constexpr int ROWS = 128, DEEP = 64, GROUP = 8;
    // Tiles as wgmma wants them: rows of 128 bytes, whose chunks change places with their number.
    auto a_layout = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{},
                                  make_shape(Int<ROWS>{}, Int<DEEP>{}, Int<STAGES>{}));
    auto b_layout = tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{},
                                  make_shape(Int<COLS>{}, Int<DEEP>{}, Int<STAGES>{}),
                                  Step<_2, _1, _3>{});  // atoms along k first: boxes of 64 columns
    extern __shared__ __align__(1024) unsigned char memory[];
    half_t* a_memory = reinterpret_cast<half_t*>(memory);
    half_t* b_memory = a_memory + cosize(a_layout);
    uint64_t* full = reinterpret_cast<uint64_t*>(b_memory + cosize(b_layout));
    uint64_t* empty = full + STAGES;
    Tensor a_tiles = make_tensor(make_smem_ptr(a_memory), a_layout);  // (row, k, stage)
    Tensor b_tiles = make_tensor(make_smem_ptr(b_memory), b_layout);  // (col, k, stage)

    // No map can describe rows that are no multiple of 16 bytes: those are fetched by threads.
    const bool a_by_map = K % 8 == 0, b_by_map = N % 8 == 0;
    const int fetchers = a_by_map && b_by_map ? 1 : 128;
    if (threadIdx.x == 0)
        for (int stage = 0; stage < STAGES; ++stage) {
            Barrier::init(full + stage, fetchers);
            Barrier::init(empty + stage, 2);  // one thread of each four warps that multiply
        }
    cutlass::arch::fence_barrier_init();
    __syncthreads();

    // Tiles of C with neighbouring numbers go down GROUP rows of tiles, then one column on.
    const unsigned down = (M + ROWS - 1) / ROWS, across = (N + COLS - 1) / COLS;
    const int steps = (K + DEEP - 1) / DEEP;
    auto place = [&](unsigned tile, int& row, int& col) {
        unsigned first = tile / (GROUP * across) * GROUP, number = tile % (GROUP * across);
        unsigned height = cute::min(down - first, unsigned(GROUP));
        row = (first + number % height) * ROWS;
        col = number / height * COLS;
    };
    unsigned turn = 0;  // steps so far, of all tiles

    if (threadIdx.x >= 256) {  // four warps fetch; where both sides have maps, one thread of them
        int thread = threadIdx.x - 256;
        if (thread >= fetchers) return;
        for (unsigned tile = blockIdx.x; tile < down * across; tile += gridDim.x) {
            int first_row, first_col;
            place(tile, first_row, first_col);
            for (int first_k = 0; first_k < K; first_k += DEEP, ++turn) {
                int stage = turn % STAGES;
                Barrier::wait(empty + stage, turn / STAGES % 2 ^ 1);
                if (thread == 0) {
                    Full::expect_transaction(
                        full + stage, (a_by_map * ROWS + b_by_map * COLS) * DEEP * sizeof(T));
                    if (a_by_map)
                        SM90_TMA_LOAD_2D::copy(&a_map, full[stage], a_memory + stage * ROWS * DEEP,
                                               first_k, first_row);
                    for (int i = 0; b_by_map && i < COLS; i += 64)
                        SM90_TMA_LOAD_2D::copy(&b_map, full[stage],
                                               b_memory + (stage * COLS + i) * DEEP, first_col + i,
                                               first_k);
                }
                for (int i = 0; !a_by_map && i < ROWS; i += 64)
                    copy_box(A, M, K, first_k, first_row + i, thread,
                             [&](int row, int k) -> half_t& { return a_tiles(i + row, k, stage); });
                for (int i = 0; !b_by_map && i < COLS; i += 64)
                    copy_box(B, K, N, first_col + i, first_k, thread,
                             [&](int k, int col) -> half_t& { return b_tiles(i + col, k, stage); });
                if (fetchers > 1)  // wgmma may look now at what threads have written
                    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
                Barrier::arrive(full + stage);
            }
        }
        return;
    }

    // Eight warps multiply: 64 x COLS elements of C for each four of them.
    auto atoms = make_tuple(SM90_64x256x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>{},  // <-
                            SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>{},
                            SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>{});
    auto atom = get<COLS == 256 ? 0 : COLS == 128 ? 1 : 2>(atoms);
    TiledMMA mma = make_tiled_mma(atom, Layout<Shape<_2, _1, _1>>{});
    ThrMMA mine = mma.get_thread_slice(threadIdx.x);
    Tensor a = mine.partition_fragment_A(a_tiles);  // no elements: where they lie
    Tensor b = mine.partition_fragment_B(b_tiles);
    Tensor sum = partition_fragment_C(mma, make_shape(Int<ROWS>{}, Int<COLS>{}));
    Tensor at = mine.partition_C(make_identity_tensor(make_shape(Int<ROWS>{}, Int<COLS>{})));
    for (unsigned tile = blockIdx.x; tile < down * across; tile += gridDim.x) {
        int first_row, first_col;
        place(tile, first_row, first_col);
        clear(sum);
        for (int step = 0; step < steps; ++step, ++turn) {
            int stage = turn % STAGES;
            Barrier::wait(full + stage, turn / STAGES % 2);
            warpgroup_fence_operand(sum);
            warpgroup_arrive();
            gemm(mma, a(_, _, _, stage), b(_, _, _, stage), sum);
            warpgroup_commit_batch();
            warpgroup_wait<1>();  // the products before these are done with their tiles
            if (step > 0 && threadIdx.x % 128 == 0) Barrier::arrive(empty + (turn - 1) % STAGES);
        }
        warpgroup_wait<0>();
        warpgroup_fence_operand(sum);
        if (steps > 0 && threadIdx.x % 128 == 0) Barrier::arrive(empty + (turn - 1) % STAGES);

        CUTE_UNROLL
        for (int i = 0; i < size(sum); i += 2) {  // neighbours along a row
            int row = first_row + get<0>(at(i)), col = first_col + get<1>(at(i));
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
}
