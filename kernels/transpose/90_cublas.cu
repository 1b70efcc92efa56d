/*---
title   = "cuBLAS geam"
types   = ["f32", "f64"]
library = "cublas_geam"
[without]
f16   = "cuBLAS has geam for float, double and their complex numbers, and for nothing smaller."
u8    = "cuBLAS has geam for float, double and their complex numbers, and for nothing smaller."
f32x4 = "cublasZgeam would move 16 bytes as a complex double; it is not called here."
---*/

// Idea: a library does it. geam computes C = alpha * op(A) + beta * op(B); with alpha = 1, beta = 0
// and op(A) the transpose of A, that is a transpose. What stands here is the call that is timed.
// Still wrong: it is made for sums of matrices of any kind, not for this. It multiplies every element
// by one, takes no bytes and no halves, and how it moves the matrix cannot be seen.
void transpose_cublas(cublasHandle_t cublas, const float* in, float* out, int rows, int cols) {
    const float one = 1, zero = 0;
    // cuBLAS has the columns of a matrix one after the other, and here it is rows. So it is told of
    // a matrix with our rows as its columns: in is cols x rows for it, and out is rows x cols.
    cublasSgeam(cublas,                    // doubles: cublasDgeam
                CUBLAS_OP_T, CUBLAS_OP_N,  // op(A), op(B)
                rows, cols,                // of the result, as cuBLAS counts them
                &one, in, cols,            // alpha, A, elements from one of its columns to the next
                &zero, out, rows,          // beta = 0: B is not read, so anything may stand here
                out, rows);                // C
}
