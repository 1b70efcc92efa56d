// Two products of 16 x 16 halves with sums in f32 and in f16, through nvcuda::wmma.
// lanewise-engine run tensor_wmma.cu --kernel product --grid 1 --block 64 --arg f32[512] --arg u16[512] --arg u32[512]
// results: exact
#include <mma.h>

__global__ void product(float* out, __half* halves, const unsigned* in) {
    using namespace nvcuda::wmma;
    __shared__ __half a[2][256], b[2][256];
    int warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < 512; i += 64) {
        (&a[0][0])[i] = __int2half_rn((int)(in[i] & 15) - 8);
        (&b[0][0])[i] = __int2half_rn((int)(in[i] >> 8 & 15) - 7);
    }
    __syncthreads();
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> sum;
    fragment<accumulator, 16, 16, 16, __half> small;
    fill_fragment(sum, 1.0f);
    fill_fragment(small, __float2half(0));
    load_matrix_sync(fa, a[warp], 16);
    load_matrix_sync(fb, b[warp], 16);
    mma_sync(sum, fa, fb, sum);
    mma_sync(sum, fa, fb, sum);
    mma_sync(small, fa, fb, small);
    store_matrix_sync(out + warp * 256, sum, 16, mem_row_major);
    store_matrix_sync(halves + warp * 256, small, 16, mem_col_major);
}
