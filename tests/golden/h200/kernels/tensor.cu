// Matrix loads and tensor-core products. Factors are 1 to 2 with five bits behind the point, made
// in the kernel, so that every sum is exact.
#include <cuda_fp16.h>
#include <mma.h>

__device__ unsigned short factor(unsigned short bits) { return (bits & 0x03e0) | 0x3c00; }
__device__ unsigned address_of(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// A 16 x 16 tile with PITCH halves to a row, loaded by ldmatrix in one of its forms.
template <int PITCH, int FORM>
__global__ void load_matrix(const unsigned short* in, unsigned* out) {
    __shared__ __align__(16) unsigned short s[16 * PITCH];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) s[i / 16 * PITCH + i % 16] = in[i];
    __syncwarp();
    unsigned at = address_of(&s[lane % 16 * PITCH + lane / 16 * 8]);
    unsigned r[4] = {};
    if (FORM == 1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                     : "=r"(r[0])
                     : "r"(at));
    else if (FORM == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(at));
    else if (FORM == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    for (int i = 0; i < 4; ++i) out[i * 32 + lane] = r[i];
}

// 16 x 8 of C from 16 x 16 of A and 16 x 8 of B, over and over along k.
template <int PITCH>
__global__ void product(const unsigned short* a, const unsigned short* b, float* c, int k) {
    __shared__ __align__(16) unsigned short as[16 * PITCH], bs[16 * 8];
    int lane = threadIdx.x;
    float d[4] = {};
    for (int t = 0; t < k; t += 16) {
        for (int i = lane; i < 256; i += 32) as[i / 16 * PITCH + i % 16] = factor(a[i / 16 * k + t + i % 16]);
        for (int i = lane; i < 128; i += 32) bs[i] = factor(b[(t + i / 8) * 8 + i % 8]);
        __syncwarp();
        unsigned ra[4], rb[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                     : "r"(address_of(&as[lane % 16 * PITCH + lane / 16 * 8])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(rb[0]), "=r"(rb[1])
                     : "r"(address_of(&bs[lane % 16 * 8])));
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
            "{%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        __syncwarp();
    }
    for (int i = 0; i < 4; ++i)
        c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// Fragments from and to global memory: the loads are whatever ptxas makes of them.
__global__ void wmma_global(const __half* a, const __half* b, float* c, int n) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.f);
    for (int t = 0; t < n; t += 16) {
        load_matrix_sync(fa, a + blockIdx.y * 16 * n + t, n);
        load_matrix_sync(fb, b + blockIdx.x * 16 * n + t, n);
        for (int i = 0; i < fa.num_elements; ++i)
            fa.x[i] = __ushort_as_half(factor(__half_as_ushort(fa.x[i])));
        for (int i = 0; i < fb.num_elements; ++i)
            fb.x[i] = __ushort_as_half(factor(__half_as_ushort(fb.x[i])));
        mma_sync(fc, fa, fb, fc);
    }
    store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, mem_row_major);
}

template <int PITCH>
__global__ void wmma_shared(const unsigned short* a, const unsigned short* b, float* c) {
    using namespace nvcuda::wmma;
    __shared__ __align__(32) __half as[16 * PITCH], bs[16 * PITCH];
    __shared__ __align__(32) float cs[16 * PITCH];
    for (int i = threadIdx.x; i < 256; i += 32) {
        as[i / 16 * PITCH + i % 16] = __ushort_as_half(factor(a[i]));
        bs[i / 16 * PITCH + i % 16] = __ushort_as_half(factor(b[i]));
    }
    __syncwarp();
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.f);
    load_matrix_sync(fa, as, PITCH);
    load_matrix_sync(fb, bs, PITCH);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(cs, fc, PITCH, mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32) c[i] = cs[i / 16 * PITCH + i % 16];
}
