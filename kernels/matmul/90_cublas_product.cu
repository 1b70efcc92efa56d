/*---
title   = "cuBLAS gemm"
types   = ["f32", "f16"]
library = "cublas_gemm"
[knob.TF32]
choices = [0, 1]
help    = "1: floats cut to TF32 for the tensor cores; nothing for halves"
---*/

// Idea: a library does it. gemm computes C = alpha * op(A) * op(B) + beta * C. What stands here is
// the call that is timed, with a handle that has been used before.
// Still wrong: how it does it cannot be seen. And which arithmetic it uses is not in its name: the
// same call is several times as fast once TF32 is allowed, with three decimal digits of each float.
void matmul_cublas(cublasHandle_t cublas, const float* A, const float* B, float* C, int M, int N,
                   int K, bool TF32) {
    const float one = 1, zero = 0;
    cublasSetMathMode(cublas, TF32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH);
    // cuBLAS has the columns of a matrix one after the other, and here it is rows: it takes A for
    // its transpose, and B and C, too. As C^T = B^T * A^T, B comes first.
    cublasSgemm(cublas,                    // halves: cublasGemmEx, CUBLAS_COMPUTE_32F
                CUBLAS_OP_N, CUBLAS_OP_N,  // op(B^T), op(A^T): as they lie
                N, M, K,                   // C^T is N x M for it
                &one, B, N,                // alpha, B^T, elements from one of its columns to the next
                A, K,                      // A^T
                &zero, C, N);              // beta = 0: what C held is not looked at
}
