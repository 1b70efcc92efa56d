// mma and wmma of bytes, f64, tf32 and bf16, of whole numbers.
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void wmma_bytes(int* out, const signed char* a, const signed char* b) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, -7);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}
__global__ void wmma_f64(double* out, const int* a, const int* b) {
    __shared__ double as[32], bs[32];
    as[threadIdx.x] = a[threadIdx.x] >> 20;
    bs[threadIdx.x] = b[threadIdx.x] >> 20;
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
    wmma::fill_fragment(fc, 0.25);
    wmma::load_matrix_sync(fa, as, 4);
    wmma::load_matrix_sync(fb, bs, 4);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(out, fc, 8, wmma::mem_row_major);
}
__global__ void wmma_brain(float* out, const int* a, const int* b) {
    __shared__ __nv_bfloat16 as[256], bs[256];
    for (int i = threadIdx.x; i < 256; i += 32)
        as[i] = __int2bfloat16_rn(a[i] >> 25), bs[i] = __int2bfloat16_rn(b[i] >> 25);
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.0f);
    wmma::load_matrix_sync(fa, as, 16);
    wmma::load_matrix_sync(fb, bs, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(out, fc, 16, wmma::mem_col_major);
}
__global__ void mma_bytes(int* out, const unsigned* a, const unsigned* b) {
    int n = threadIdx.x, d[4] = {1, 1, 1, 1};
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[n * 4]), "r"(a[n * 4 + 1]), "r"(a[n * 4 + 2]), "r"(a[n * 4 + 3]), "r"(b[n * 2]),
          "r"(b[n * 2 + 1]));
    *reinterpret_cast<int4*>(&out[n * 4]) = make_int4(d[0], d[1], d[2], d[3]);
}
