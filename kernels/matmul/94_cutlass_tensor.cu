/*---
title   = "CUTLASS, with tensor cores"
types   = ["f16"]
arch    = "sm_80"
headers = "cutlass"
block   = ["256"]
grid    = ["ceil_div(M, 128)", "ceil_div(N, 256)"]
dynamic_shared = "STAGES * 32 * (128 + 256) * 2"
compare = "42_mma_sync"
[tile]
array = "memory"
rows  = "128"
cols  = "32"
pitch = "32"
[knob.STAGES]
choices = [3, 4]
help    = "pairs of tiles that a block keeps room for: one is multiplied while the others arrive"
---*/

// Idea: the same template with other units: tensor cores instead of multiply-adds, copies of 16
// bytes, tiles swizzled for ldmatrix. Only types, sizes and one tag have changed.
// Still wrong: rows that do not begin at whole vectors need a second, slow kernel beside the first.
// And mma.sync takes its operands from registers, as yours did.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/gemm/kernel/default_gemm.h>
#include <cutlass/gemm/threadblock/threadblock_swizzle.h>

// A product of tiles of ROWS x COLS by warps of 64 x 64; elements of A and B that lie aligned
// together: TOGETHER.
template <int ROWS, int COLS, int STAGES, int TOGETHER>
__device__ void product(const __half* A, const __half* B, float* C, int M, int N, int K) {
    using namespace cutlass;
    using Rows = layout::RowMajor;
    using Order = gemm::threadblock::GemmIdentityThreadblockSwizzle<1>;  // down, then across
    constexpr int OUT = TOGETHER < 4 ? 1 : 4;                           // the same of C
    using Kernel = typename gemm::kernel::DefaultGemm<
        half_t, Rows, TOGETHER, half_t, Rows, TOGETHER, float, Rows, float,
        arch::OpClassTensorOp, arch::Sm80,  // <-
        gemm::GemmShape<ROWS, COLS, 32>,    // tile of a block
        gemm::GemmShape<64, 64, 32>,        // tile of a warp
        gemm::GemmShape<16, 8, 16>,         // of one mma.sync
        epilogue::thread::LinearCombination<float, OUT, float, float>, Order, STAGES, false,
        arch::OpMultiplyAdd, gemm::SharedMemoryClearOption::kZfill>::GemmKernel;
    extern __shared__ uint4 memory[];
    static_assert(sizeof(typename Kernel::SharedStorage) <= 3 * 32 * (ROWS + COLS) * 2 ||
                  sizeof(typename Kernel::SharedStorage) <= STAGES * 32 * (ROWS + COLS) * 2);

    gemm::GemmCoord tiles((M + ROWS - 1) / ROWS, (N + COLS - 1) / COLS, 1);
    auto a = reinterpret_cast<half_t*>(const_cast<__half*>(A));
    auto b = reinterpret_cast<half_t*>(const_cast<__half*>(B));
    typename Kernel::Params params({M, N, K}, tiles, {a, K}, {b, N}, {C, N}, {C, N},
                                   {1.0f, 0.0f});  // C = 1 A B + 0 C
    Kernel()(params, *reinterpret_cast<typename Kernel::SharedStorage*>(memory));
}

template <typename T = __half, int STAGES = 4>
__global__ void __launch_bounds__(256)
    matmul_cutlass_tensor(const T* A, const T* B, float* C, int M, int N, int K) {
    if (K == 0) {  // which it has not thought of
        int row = blockIdx.x * 128 + threadIdx.x / 2, col = blockIdx.y * 256 + threadIdx.x % 2 * 128;
        for (int i = 0; i < 128; ++i)
            if (row < M && col + i < N) C[size_t(row) * N + col + i] = 0;
        return;
    }
    if (K % 8 == 0 && N % 8 == 0)
        product<128, 256, STAGES, 8>(A, B, C, M, N, K);
    else
        product<128, 256, 2, 1>(A, B, C, M, N, K);
}
