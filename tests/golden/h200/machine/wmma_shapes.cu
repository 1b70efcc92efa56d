// wmma in its other shapes and types: 32x8x16 and 8x32x16 halves, brain floats, bytes, tf32.
// lanewise-engine run wmma_shapes.cu --kernel shapes --grid 1 --block 32 --arg f32[1536] --arg u32[512]
// results: exact
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda::wmma;
template <int M, int N, int K, typename T, typename C, typename A>
__device__ void multiply(C* out, const A* a, const A* b, int lda, int ldb) {
    fragment<matrix_a, M, N, K, T, row_major> fa;
    fragment<matrix_b, M, N, K, T, col_major> fb;
    fragment<accumulator, M, N, K, C> fc;
    fill_fragment(fc, C(1));
    load_matrix_sync(fa, a, lda);
    load_matrix_sync(fb, b, ldb);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(out, fc, N, mem_row_major);
}
__global__ void shapes(float* out, const unsigned* in) {
    int* whole = (int*)(out + 768);
    __shared__ __align__(32) half halves[2][512];
    __shared__ __align__(32) __nv_bfloat16 brains[2][512];
    __shared__ __align__(32) signed char bytes[2][512];
    __shared__ __align__(32) float floats[2][128];
    for (int i = threadIdx.x; i < 512; i += 32)
        for (int k = 0; k < 2; ++k) {
            int v = (int)(in[i] >> (k * 8) & 15) - 8;
            halves[k][i] = __float2half(v), brains[k][i] = __float2bfloat16(v * 0.5f);
            bytes[k][i] = v;
            if (i < 128) floats[k][i] = v * 0.25f;
        }
    __syncwarp();
    multiply<32, 8, 16, half>(out, halves[0], halves[1], 16, 16);
    multiply<8, 32, 16, half>(out + 256, halves[0], halves[1], 16, 16);
    multiply<16, 16, 16, __nv_bfloat16>(out + 512, brains[0], brains[1], 16, 16);
    multiply<16, 16, 16, signed char>(whole, bytes[0], bytes[1], 16, 16);
    multiply<32, 8, 16, signed char>(whole + 256, bytes[0], bytes[1], 16, 16);
    multiply<8, 32, 16, signed char>(whole + 512, bytes[0], bytes[1], 16, 16);
    __syncwarp();
    fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> a;
    fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> b;
    fragment<accumulator, 16, 16, 8, float> c;
    load_matrix_sync(a, floats[0], 8);
    load_matrix_sync(b, floats[1], 8);
    for (int i = 0; i < a.num_elements; ++i) a.x[i] = __float_to_tf32(a.x[i]);
    load_matrix_sync(c, out, 16, mem_row_major);
    mma_sync(c, a, b, c);
    store_matrix_sync(out, c, 16, mem_col_major);
}
