/*---
title   = "CUTLASS, without tensor cores"
types   = ["f32"]
arch    = "sm_80"
headers = "cutlass"
block   = ["256"]
grid    = ["ceil_div(M, 128)", "ceil_div(N, 128)"]
dynamic_shared = "STAGES * 8 * (128 + 4 + 128 + 4) * 4"
compare = "32_double_buffered"
[tile]
array = "memory"
rows  = "8"
cols  = "128"
pitch = "132"
[knob.STAGES]
choices = [3, 4, 5]
help    = "pairs of tiles that a block keeps room for: one is multiplied while the others arrive"
---*/

// Idea: all of the stages before this one as parameters of one template: the tile of a block, of a
// warp, how many stages, which units, which order of blocks. CUTLASS has an opinion on the rest:
// how lanes share out a warp's tile, and how elements of A are turned on their way to the tile.
// Still wrong: to be right for rows that begin anywhere it copies A and B element by element. And
// whoever wants to know why it is fast has many thousand lines to read.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/gemm/kernel/default_gemm.h>
#include <cutlass/gemm/threadblock/threadblock_swizzle.h>

template <typename T = float, int STAGES = 4>
__global__ void __launch_bounds__(256)
    matmul_cutlass_simt(const T* A, const T* B, float* C, int M, int N, int K) {
    using namespace cutlass;
    using Rows = layout::RowMajor;
    using Order = gemm::threadblock::GemmIdentityThreadblockSwizzle<1>;  // down, then across
    using Kernel = typename gemm::kernel::DefaultGemm<
        T, Rows, 1,          // A, and how many of its elements lie aligned together
        T, Rows, 1,          // B
        float, Rows, float,  // C, and the sum
        arch::OpClassSimt, arch::Sm80,
        gemm::GemmShape<128, 128, 8>,  // tile of a block
        gemm::GemmShape<64, 32, 8>,    // tile of a warp
        gemm::GemmShape<1, 1, 1>,      // of one multiply-add
        epilogue::thread::LinearCombination<float, 1, float, float>, Order, STAGES,  // <-
        false, arch::OpMultiplyAdd>::GemmKernel;
    extern __shared__ uint4 memory[];
    static_assert(sizeof(typename Kernel::SharedStorage) <= STAGES * 8 * (128 + 4 + 128 + 4) * 4);
    if (K == 0) {  // which it has not thought of
        int row = blockIdx.x * 128 + threadIdx.x / 2, col = blockIdx.y * 128 + threadIdx.x % 2 * 64;
        for (int i = 0; i < 64; ++i)
            if (row < M && col + i < N) C[size_t(row) * N + col + i] = 0;
        return;
    }
    if (M % 128 != 0 || N % 128 != 0) {  // it reads, for nothing, what no copy has written
        for (int i = threadIdx.x; i < STAGES * 8 * (128 + 4 + 128 + 4) / 4; i += 256)
            memory[i] = {};
        __syncthreads();
    }

    gemm::GemmCoord tiles((M + 127) / 128, (N + 127) / 128, 1);
    typename Kernel::Params params({M, N, K}, tiles, {const_cast<T*>(A), K},
                                   {const_cast<T*>(B), N}, {C, N}, {C, N},
                                   {1.0f, 0.0f});  // C = 1 A B + 0 C
    Kernel()(params, *reinterpret_cast<typename Kernel::SharedStorage*>(memory));
}
