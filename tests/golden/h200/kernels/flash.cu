// Attention of 16 queries and 16 keys by mma: P stays in registers, V is read transposed.
#include <cuda_fp16.h>
__device__ void mma(float* d, const unsigned* a, const unsigned* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
template <bool trans>
__device__ void load(unsigned* d, const __half* from) {
    unsigned p = (unsigned)__cvta_generic_to_shared(from);
    if (trans)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(p));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(p));
}
__global__ void attend(float* out, const int* q, const int* k, const int* v) {
    __shared__ __align__(16) __half Q[16][24], K[16][24], V[16][24];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) {
        Q[i / 16][i % 16] = __int2half_rn(q[i] >> 30);
        K[i / 16][i % 16] = __int2half_rn(k[i] >> 30);
        V[i / 16][i % 16] = __int2half_rn(v[i] >> 28);
    }
    __syncthreads();
    unsigned a[4], b[4], bv[4];
    load<false>(a, &Q[lane % 16][lane / 16 * 8]);
    load<false>(b, &K[lane % 8 + lane / 16 * 8][lane / 8 % 2 * 8]);
    load<true>(bv, &V[lane % 16][lane / 16 * 8]);
    float s[8] = {}, o[8] = {};
    mma(s, a, b);
    mma(s + 4, a, b + 2);
    for (int h = 0; h < 2; ++h) {
        float most = fmaxf(fmaxf(s[h * 2], s[h * 2 + 1]), fmaxf(s[4 + h * 2], s[5 + h * 2]));
        most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
        most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
        for (int j = 0; j < 4; ++j) {
            float& x = s[j / 2 * 4 + h * 2 + j % 2];
            x = x - most > -3 ? 1.0f / (1 << int(most - x)) : 0.0f;  // powers of two: exact
        }
    }
    unsigned p[4];
    for (int i = 0; i < 4; ++i) {
        __half2 pair = __floats2half2_rn(s[i * 2], s[i * 2 + 1]);
        p[i] = *reinterpret_cast<unsigned*>(&pair);
    }
    mma(o, p, bv);
    mma(o + 4, p, bv + 2);
    for (int j = 0; j < 2; ++j)
        for (int r = 0; r < 2; ++r)
            *reinterpret_cast<float2*>(&out[(lane / 4 + r * 8) * 16 + j * 8 + lane % 4 * 2]) =
                make_float2(o[j * 4 + r * 2], o[j * 4 + r * 2 + 1]);
}
