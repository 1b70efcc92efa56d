// Four on tensor cores: a bf16 product split along its depth, bytes times signed bytes with zero points, frames of sound to power spectra in tf32, and the triangle product of pair features in half.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>

__device__ __forceinline__ void copy16(void* to, const void* from)
{
    unsigned s = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" :: "r"(s), "l"(from) : "memory");
}
__device__ __forceinline__ void copies_end() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }
template <int N> __device__ __forceinline__ void copies_wait() { asm volatile("cp.async.wait_group %0;\n" :: "n"(N) : "memory"); }
__device__ __forceinline__ void load_four(unsigned (&r)[4], const void* p)
{
    unsigned s = (unsigned)__cvta_generic_to_shared(p);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(s) : "memory");
}
// rows of 64 bytes in four chunks of 16, turned so that eight rows meet all banks
__device__ __forceinline__ int chunk_at(int row, int chunk) { return row * 64 + ((chunk ^ ((row >> 1) & 3)) << 4); }

// launch split_depth_product: --kernel split_depth_product --grid 8,4,8 --block 128 --arg bf16[2097152]=-1..1 --arg bf16[2097152]=-1..1 --arg f32[2097152] --arg i32:512 --arg i32:512 --arg i32:4096
// Deep learning, few rows and much depth: C = A * B^T in bf16, z deals out slices of the depth, each writes its own
// partial sums in float. Tiles of 128 x 64 x 32, three stages of cp.async, four warps of 64 x 32 by ldmatrix and mma.
__global__ void __launch_bounds__(128) split_depth_product(const __nv_bfloat16* __restrict__ a, const __nv_bfloat16* __restrict__ b,
                                                           float* __restrict__ partial, int m, int n, int k)
{
    __shared__ __align__(128) unsigned char sa[3][128 * 64];
    __shared__ __align__(128) unsigned char sb[3][64 * 64];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int row0 = blockIdx.y * 128, col0 = blockIdx.x * 64;
    int depth = k / gridDim.z, k0 = blockIdx.z * depth, steps = depth / 32;
    int wr = (warp & 1) * 64, wc = (warp >> 1) * 32;
    auto fetch = [&](int step, int stage) {
        int kk = k0 + step * 32;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int c = t + i * 128, r = c >> 2, q = c & 3;
            copy16(&sa[stage][chunk_at(r, q)], a + (size_t)(row0 + r) * k + kk + q * 8);
        }
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int c = t + i * 128, r = c >> 2, q = c & 3;
            copy16(&sb[stage][chunk_at(r, q)], b + (size_t)(col0 + r) * k + kk + q * 8);
        }
    };
    float acc[4][4][4] = {};
    fetch(0, 0); copies_end();
    if (steps > 1) fetch(1, 1);
    copies_end();
    int stage = 0;
    for (int s = 0; s < steps; s++) {
        copies_wait<1>();
        __syncthreads();
        int ahead = stage >= 1 ? stage - 1 : 2;
        if (s + 2 < steps) fetch(s + 2, ahead);
        copies_end();
#pragma unroll
        for (int h = 0; h < 2; h++) {
            unsigned fa[4][4], fb[2][4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                load_four(fa[i], &sa[stage][chunk_at(wr + i * 16 + (lane & 15), h * 2 + (lane >> 4))]);
#pragma unroll
            for (int j = 0; j < 2; j++)
                load_four(fb[j], &sb[stage][chunk_at(wc + j * 16 + (lane & 7) + ((lane >> 4) << 3), h * 2 + ((lane >> 3) & 1))]);
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                                 : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                                 : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]),
                                   "r"(fb[j >> 1][(j & 1) * 2]), "r"(fb[j >> 1][(j & 1) * 2 + 1]));
        }
        stage = stage == 2 ? 0 : stage + 1;
    }
    float* out = partial + (size_t)blockIdx.z * m * n;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = row0 + wr + i * 16 + (lane >> 2), c = col0 + wc + j * 8 + (lane & 3) * 2;
            if (r < m && c < n) *reinterpret_cast<float2*>(out + (size_t)r * n + c) = make_float2(acc[i][j][0], acc[i][j][1]);
            if (r + 8 < m && c < n) *reinterpret_cast<float2*>(out + (size_t)(r + 8) * n + c) = make_float2(acc[i][j][2], acc[i][j][3]);
        }
}

// launch zero_point_product: --kernel zero_point_product --grid 16,16 --block 128 --arg u8[1048576]=0..255 --arg i8[1048576]=-127..127 --arg i32[1024]=-2000..2000 --arg f32[1024]=0.001..0.01 --arg f32[1024]=-1..1 --arg f16[1048576] --arg i32:1024 --arg i32:1024 --arg i32:128 --arg f32:0.02
// Quantised inference: unsigned activations with a zero point times signed weights (u8.s8 mma, k 32), corrected by the
// weights' sums, scaled by channel, biased, to half. Tiles of 64 x 64 x 64, two stages, four warps of 32 x 32.
__global__ void __launch_bounds__(128) zero_point_product(const unsigned char* __restrict__ x, const signed char* __restrict__ w,
                                                          const int* __restrict__ weight_sums, const float* __restrict__ scales,
                                                          const float* __restrict__ bias, __half* __restrict__ y,
                                                          int n, int k, int zero_point, float x_scale)
{
    __shared__ __align__(128) unsigned char sx[2][64 * 64];
    __shared__ __align__(128) unsigned char sw[2][64 * 64];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    int wr = (warp >> 1) * 32, wc = (warp & 1) * 32;
    auto fetch = [&](int kk, int stage) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int c = t + i * 128, r = c >> 2, q = c & 3;
            copy16(&sx[stage][chunk_at(r, q)], x + (size_t)(row0 + r) * k + kk + q * 16);
            copy16(&sw[stage][chunk_at(r, q)], w + (size_t)(col0 + r) * k + kk + q * 16);
        }
        copies_end();
    };
    int acc[2][4][4] = {};
    fetch(0, 0);
    int steps = k / 64;
    for (int s = 0; s < steps; s++) {
        if (s + 1 < steps) {
            fetch((s + 1) * 64, (s + 1) & 1);
            copies_wait<1>();
        } else {
            copies_wait<0>();
        }
        __syncthreads();
        const unsigned char* ax = sx[s & 1];
        const unsigned char* bw = sw[s & 1];
#pragma unroll
        for (int h = 0; h < 2; h++) {
            unsigned fa[2][4], fb[2][4];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                load_four(fa[i], ax + chunk_at(wr + i * 16 + (lane & 15), h * 2 + (lane >> 4)));
                load_four(fb[i], bw + chunk_at(wc + i * 16 + (lane & 7) + ((lane >> 4) << 3), h * 2 + ((lane >> 3) & 1)));
            }
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                                 : "+r"(acc[i][j][0]), "+r"(acc[i][j][1]), "+r"(acc[i][j][2]), "+r"(acc[i][j][3])
                                 : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]),
                                   "r"(fb[j >> 1][(j & 1) * 2]), "r"(fb[j >> 1][(j & 1) * 2 + 1]));
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int c = col0 + wc + j * 8 + (lane & 3) * 2;
        int z0 = zero_point * weight_sums[c], z1 = zero_point * weight_sums[c + 1];
        float s0 = x_scale * scales[c], s1 = x_scale * scales[c + 1];
        float b0 = bias[c], b1 = bias[c + 1];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int r = row0 + wr + i * 16 + (lane >> 2);
            *reinterpret_cast<__half2*>(y + (size_t)r * n + c) =
                __floats2half2_rn((float)(acc[i][j][0] - z0) * s0 + b0, (float)(acc[i][j][1] - z1) * s1 + b1);
            *reinterpret_cast<__half2*>(y + (size_t)(r + 8) * n + c) =
                __floats2half2_rn((float)(acc[i][j][2] - z0) * s0 + b0, (float)(acc[i][j][3] - z1) * s1 + b1);
        }
    }
}

// launch frames_to_spectra: --kernel frames_to_spectra --grid 4,64 --block 128 --arg f32[262336]=-1..1 --arg f32[32768]=-1..1 --arg f32[32768]=-1..1 --arg f32[524288] --arg i32:262336
// Speech: power spectra of overlapping frames (256 long, 64 apart) as a product with a windowed Fourier basis, 128 bins;
// wmma in tf32 whose rows overlap in shared memory. A block takes 64 frames and 32 bins, each warp 16 frames.
__global__ void __launch_bounds__(128) frames_to_spectra(const float* __restrict__ sound, const float* __restrict__ basis_re,
                                                         const float* __restrict__ basis_im, float* __restrict__ power, int samples)
{
    using namespace nvcuda;
    const int hop = 64, length = 256, bins = 128, span = 63 * hop + length;
    __shared__ __align__(32) float frames[span];
    __shared__ __align__(32) float br[32][40], bi[32][40];
    int t = threadIdx.x, warp = t >> 5;
    int f0 = blockIdx.y * 64, b0 = blockIdx.x * 32;
    for (int i = t; i < span; i += 128) {
        int g = f0 * hop + i;
        frames[i] = g < samples ? wmma::__float_to_tf32(sound[g]) : 0.f;
    }
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> re[2], im[2];
#pragma unroll
    for (int j = 0; j < 2; j++) { wmma::fill_fragment(re[j], 0.f); wmma::fill_fragment(im[j], 0.f); }
    for (int k0 = 0; k0 < length; k0 += 32) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int r = (t >> 5) + i * 4, c = t & 31;
            br[r][c] = wmma::__float_to_tf32(basis_re[(k0 + r) * bins + b0 + c]);
            bi[r][c] = wmma::__float_to_tf32(basis_im[(k0 + r) * bins + b0 + c]);
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 32; kk += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
            wmma::load_matrix_sync(a, &frames[warp * 16 * hop + k0 + kk], hop);
#pragma unroll
            for (int j = 0; j < 2; j++) {
                wmma::load_matrix_sync(b, &br[kk][j * 16], 40);
                wmma::mma_sync(re[j], a, b, re[j]);
                wmma::load_matrix_sync(b, &bi[kk][j * 16], 40);
                wmma::mma_sync(im[j], a, b, im[j]);
            }
        }
    }
#pragma unroll
    for (int j = 0; j < 2; j++) {
#pragma unroll
        for (int e = 0; e < re[j].num_elements; e++) re[j].x[e] = re[j].x[e] * re[j].x[e] + im[j].x[e] * im[j].x[e];
        wmma::store_matrix_sync(power + (size_t)(f0 + warp * 16) * bins + b0 + j * 16, re[j], bins, wmma::mem_row_major);
    }
}

// launch triangle_multiply: --kernel triangle_multiply --grid 4,4,64 --block 128 --arg f16[4194304]=-1..1 --arg f16[4194304]=-1..1 --arg f16[4194304]=-2..2 --arg f16[4194304] --arg i32:256
// Protein structure networks: triangle update of pair features, out[c][i][j] = sigmoid(gate) * sum over k of
// a[c][i][k] * b[c][j][k], channel by channel; wmma in half, cp.async in two stages, tiles of 64 x 64 x 32.
__global__ void __launch_bounds__(128) triangle_multiply(const __half* __restrict__ a, const __half* __restrict__ b,
                                                         const __half* __restrict__ gate, __half* __restrict__ out, int n)
{
    using namespace nvcuda;
    const int ld = 40, lc = 68;
    __shared__ __align__(128) unsigned char room[2 * 2 * 64 * ld * 2];
    __half* sa = reinterpret_cast<__half*>(room);
    __half* sb = sa + 2 * 64 * ld;
    float* sc = reinterpret_cast<float*>(room);
    int t = threadIdx.x, warp = t >> 5;
    int i0 = blockIdx.y * 64, j0 = blockIdx.x * 64;
    size_t plane = (size_t)blockIdx.z * n * n;
    int wr = (warp >> 1) * 32, wc = (warp & 1) * 32;
    auto fetch = [&](int kk, int stage) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int c = t + i * 128, r = c >> 2, q = (c & 3) * 8;
            copy16(sa + (stage * 64 + r) * ld + q, a + plane + (size_t)(i0 + r) * n + kk + q);
            copy16(sb + (stage * 64 + r) * ld + q, b + plane + (size_t)(j0 + r) * n + kk + q);
        }
        copies_end();
    };
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) wmma::fill_fragment(acc[i][j], 0.f);
    fetch(0, 0);
    int stage = 0;
    for (int k0 = 0; k0 < n; k0 += 32, stage ^= 1) {
        copies_wait<0>();
        __syncthreads();
        if (k0 + 32 < n) fetch(k0 + 32, stage ^ 1);
#pragma unroll
        for (int kk = 0; kk < 32; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb[2];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(fa[i], sa + (stage * 64 + wr + i * 16) * ld + kk, ld);
                wmma::load_matrix_sync(fb[i], sb + (stage * 64 + wc + i * 16) * ld + kk, ld);
            }
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 2; j++) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(sc + (wr + i * 16) * lc + wc + j * 16, acc[i][j], lc, wmma::mem_row_major);
    __syncthreads();
#pragma unroll 4
    for (int e = t; e < 64 * 32; e += 128) {
        int r = e >> 5, c = (e & 31) * 2;
        size_t at = plane + (size_t)(i0 + r) * n + j0 + c;
        float2 g = __half22float2(*reinterpret_cast<const __half2*>(gate + at));
        float x = sc[r * lc + c] / (1.f + __expf(-g.x));
        float y = sc[r * lc + c + 1] / (1.f + __expf(-g.y));
        *reinterpret_cast<__half2*>(out + at) = __floats2half2_rn(x, y);
    }
}
