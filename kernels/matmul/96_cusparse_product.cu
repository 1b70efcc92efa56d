/*---
title   = "cuSPARSE SpMM, zeros left out"
types   = ["f32"]
library = "cusparse_spmm"
[knob.ZEROS]
choices = [50, 75, 90, 95, 99]
help    = "of a hundred elements of A so many are zero, here and there"
---*/

// Idea: do not multiply by zero. A is kept as its other elements alone, row after row, each with its
// column (CSR). What stands here is the call that is timed; making the rows is not.
// Still wrong: an index has to be read for every element, and what it points to is anywhere in B. A
// dense product knows where everything lies. So there have to be very many zeros before it pays.
void matmul_cusparse(cusparseHandle_t cusparse, int M, int N, int K, int nonzeros, int* offsets,
                     int* columns, float* values, float* B, float* C, void* workspace) {
    const float one = 1, zero = 0;
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t b, c;
    cusparseCreateCsr(&a, M, K, nonzeros,  // row r: elements offsets[r] to offsets[r + 1] - 1
                      offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnMat(&b, K, N, N, B, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    cusparseCreateDnMat(&c, M, N, N, C, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    cusparseSpMM(cusparse, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
                 &one, a, b, &zero, c, CUDA_R_32F,
                 CUSPARSE_SPMM_CSR_ALG2,  // for B and C row by row
                 workspace);
}
