// Four tensor-core products: block-sparse times dense in f16, int8 weights with bf16 activations, a symmetric rank-2k update in tf32, an int8 layer with a residual.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>

__device__ __forceinline__ unsigned int shared_address(const void* p) {
    return (unsigned int)__cvta_generic_to_shared(p);
}
__device__ __forceinline__ void copy_async_16(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared_address(to)), "l"(from) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }
template <int N>
__device__ __forceinline__ void wait_copies() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");
}
__device__ __forceinline__ void load_four(unsigned int (&r)[4], const void* p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(p))
                 : "memory");
}
__device__ __forceinline__ void load_four_turned(unsigned int (&r)[4], const void* p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(p))
                 : "memory");
}

// launch block_sparse_times_dense: --kernel block_sparse_times_dense --grid 8,128 --block 128 --arg i32[129]=0+16 --arg i32[2048]=0..127 --arg f16[2097152]=-1..1 --arg f16[4194304]=-1..1 --arg f16[4194304] --arg i32:1024
// Pruned networks: a matrix of 32x32 half blocks (BSR) times a dense half matrix. A block of four warps has a row of blocks
// and 128 columns: cp.async in two stages, ldmatrix, mma m16n8k16 with float sums; a warp has 32x32 of the result.
__global__ void __launch_bounds__(128)
block_sparse_times_dense(const int* __restrict__ row_start, const int* __restrict__ column,
                         const __half* __restrict__ blocks, const __half* __restrict__ dense,
                         __half* __restrict__ result, int n) {
    constexpr int PA = 40, PB = 136;
    __shared__ __align__(16) __half sa[2][32 * PA];
    __shared__ __align__(16) __half sb[2][32 * PB];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int n0 = blockIdx.x * 128;
    const int begin = row_start[blockIdx.y], end = row_start[blockIdx.y + 1];

    float acc[2][4][4];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int k = 0; k < 4; k++) acc[i][j][k] = 0.0f;

    auto fetch = [&](int b, int stage) {
        const __half* a = blocks + (size_t)b * 1024;
        copy_async_16(&sa[stage][(tid >> 2) * PA + (tid & 3) * 8], a + tid * 8);
        const __half* d = dense + (size_t)column[b] * 32 * n + n0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int i = tid + k * 128;
            const int r = i >> 4, c = (i & 15) * 8;
            copy_async_16(&sb[stage][r * PB + c], d + (size_t)r * n + c);
        }
    };

    if (begin < end) fetch(begin, 0);
    commit_copies();
    for (int b = begin; b < end; b++) {
        const int stage = (b - begin) & 1;
        if (b + 1 < end) fetch(b + 1, stage ^ 1);
        commit_copies();
        wait_copies<1>();
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k += 16) {
            unsigned int fa[2][4], fb[2][4];
#pragma unroll
            for (int i = 0; i < 2; i++) load_four(fa[i], &sa[stage][(i * 16 + (lane & 15)) * PA + k + (lane >> 4) * 8]);
#pragma unroll
            for (int j = 0; j < 2; j++)
                load_four_turned(fb[j], &sb[stage][(k + (lane & 15)) * PB + warp * 32 + j * 16 + (lane >> 4) * 8]);
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    asm volatile(
                        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                        "{%0,%1,%2,%3};\n"
                        : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                        : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j >> 1][(j & 1) * 2]),
                          "r"(fb[j >> 1][(j & 1) * 2 + 1]));
        }
        __syncthreads();
    }
    const int row = blockIdx.y * 32 + (lane >> 2);
    const int col = n0 + warp * 32 + (lane & 3) * 2;
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            __half* out = result + (size_t)(row + i * 16) * n + col + j * 8;
            *reinterpret_cast<__half2*>(out) = __floats2half2_rn(acc[i][j][0], acc[i][j][1]);
            *reinterpret_cast<__half2*>(out + (size_t)8 * n) = __floats2half2_rn(acc[i][j][2], acc[i][j][3]);
        }
}

// launch byte_weights_layer: --kernel byte_weights_layer --grid 32,8 --block 128 --arg bf16[524288]=-1..1 --arg i8[2097152]=-127..127 --arg f32[2048]=0.001..0.01 --arg f32[2048]=-1..1 --arg bf16[1048576] --arg i32:512 --arg i32:2048 --arg i32:1024
// Language models: bf16 activations times int8 weights with a scale for each output. Tiles of 64x64x64, four warps of 32x32,
// cp.async in two stages; the weights become bf16 on the way from shared memory to the fragments of mma m16n8k16.
__global__ void __launch_bounds__(128)
byte_weights_layer(const __nv_bfloat16* __restrict__ x, const signed char* __restrict__ weight,
                   const float* __restrict__ scale, const float* __restrict__ bias, __nv_bfloat16* __restrict__ y,
                   int m, int n, int k) {
    constexpr int PX = 72, PW = 80;
    __shared__ __align__(16) __nv_bfloat16 sx[2][64 * PX];
    __shared__ __align__(16) signed char sw[2][64 * PW];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
    const int wm = (warp >> 1) * 32, wn = (warp & 1) * 32;

    float acc[2][4][4];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) acc[i][j][e] = 0.0f;

    auto fetch = [&](int k0, int stage) {
#pragma unroll
        for (int t = 0; t < 4; t++) {
            const int i = tid + t * 128;
            const int r = i >> 3, c = (i & 7) * 8;
            copy_async_16(&sx[stage][r * PX + c], x + (size_t)min(m0 + r, m - 1) * k + k0 + c);
        }
#pragma unroll
        for (int t = 0; t < 2; t++) {
            const int i = tid + t * 128;
            const int r = i >> 2, c = (i & 3) * 16;
            copy_async_16(&sw[stage][r * PW + c], weight + (size_t)(n0 + r) * k + k0 + c);
        }
    };

    const int steps = k / 64;
    fetch(0, 0);
    commit_copies();
    for (int s = 0; s < steps; s++) {
        const int stage = s & 1;
        if (s + 1 < steps) fetch((s + 1) * 64, stage ^ 1);
        commit_copies();
        wait_copies<1>();
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 64; kk += 16) {
            unsigned int fa[2][4], fb[4][2];
#pragma unroll
            for (int i = 0; i < 2; i++)
                load_four(fa[i], &sx[stage][(wm + i * 16 + (lane & 15)) * PX + kk + (lane >> 4) * 8]);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const signed char* w = &sw[stage][(wn + j * 8 + (lane >> 2)) * PW + kk + (lane & 3) * 2];
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    const char2 two = *reinterpret_cast<const char2*>(w + h * 8);
                    const __nv_bfloat162 b = __floats2bfloat162_rn((float)two.x, (float)two.y);
                    fb[j][h] = *reinterpret_cast<const unsigned int*>(&b);
                }
            }
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    asm volatile(
                        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                        "{%0,%1,%2,%3};\n"
                        : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                        : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j][0]), "r"(fb[j][1]));
        }
        __syncthreads();
    }
    const int row = m0 + wm + (lane >> 2);
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int col = n0 + wn + j * 8 + (lane & 3) * 2;
        const float2 sc = *reinterpret_cast<const float2*>(scale + col);
        const float2 bi = *reinterpret_cast<const float2*>(bias + col);
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int r = row + i * 16 + h * 8;
                if (r < m)
                    *reinterpret_cast<__nv_bfloat162*>(y + (size_t)r * n + col) =
                        __floats2bfloat162_rn(acc[i][j][h * 2] * sc.x + bi.x, acc[i][j][h * 2 + 1] * sc.y + bi.y);
            }
    }
}

// launch two_sided_update: --kernel two_sided_update --grid 528 --block 128 --arg f32[131072]=-1..1 --arg f32[131072]=-1..1 --arg f32[4194304]=-1..1 --arg i32:2048 --arg i32:64
// Eigenvalues (blocked reduction to tridiagonal form): C -= V W' + W V' for the lower tiles of a symmetric matrix. A block of
// four warps for a tile of 64x64, panels through shared memory 32 columns at a time, wmma m16n16k8 in tf32.
__global__ void __launch_bounds__(128)
two_sided_update(const float* __restrict__ v, const float* __restrict__ w, float* __restrict__ c, int n, int k) {
    using namespace nvcuda;
    constexpr int P = 36;
    __shared__ __align__(32) float vi[64 * P];
    __shared__ __align__(32) float wi[64 * P];
    __shared__ __align__(32) float vj[64 * P];
    __shared__ __align__(32) float wj[64 * P];
    const int b = blockIdx.x;
    int ti = (int)((sqrtf(8.0f * b + 1.0f) - 1.0f) * 0.5f);
    while ((ti + 1) * (ti + 2) / 2 <= b) ti++;
    while (ti * (ti + 1) / 2 > b) ti--;
    const int tj = b - ti * (ti + 1) / 2;
    const int tid = threadIdx.x, warp = tid >> 5;
    const int wr = (warp >> 1) * 32, wc = (warp & 1) * 32;

    wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc[2][2];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) wmma::fill_fragment(acc[i][j], 0.0f);

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int t = 0; t < 4; t++) {
            const int e = tid + t * 128;
            const int r = e >> 3, q = (e & 7) * 4;
            const size_t gi = (size_t)(ti * 64 + r) * k + k0 + q;
            const size_t gj = (size_t)(tj * 64 + r) * k + k0 + q;
            *reinterpret_cast<float4*>(&vi[r * P + q]) = *reinterpret_cast<const float4*>(v + gi);
            *reinterpret_cast<float4*>(&wi[r * P + q]) = *reinterpret_cast<const float4*>(w + gi);
            *reinterpret_cast<float4*>(&vj[r * P + q]) = *reinterpret_cast<const float4*>(v + gj);
            *reinterpret_cast<float4*>(&wj[r * P + q]) = *reinterpret_cast<const float4*>(w + gj);
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 32; kk += 8) {
#pragma unroll
            for (int side = 0; side < 2; side++) {
                const float* left = side ? wi : vi;
                const float* right = side ? vj : wj;
                wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa[2];
                wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb[2];
#pragma unroll
                for (int i = 0; i < 2; i++) {
                    wmma::load_matrix_sync(fa[i], left + (wr + i * 16) * P + kk, P);
                    wmma::load_matrix_sync(fb[i], right + (wc + i * 16) * P + kk, P);
#pragma unroll
                    for (int e = 0; e < fa[i].num_elements; e++) fa[i].x[e] = wmma::__float_to_tf32(fa[i].x[e]);
#pragma unroll
                    for (int e = 0; e < fb[i].num_elements; e++) fb[i].x[e] = wmma::__float_to_tf32(fb[i].x[e]);
                }
#pragma unroll
                for (int i = 0; i < 2; i++)
#pragma unroll
                    for (int j = 0; j < 2; j++) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) {
            float* tile = c + (size_t)(ti * 64 + wr + i * 16) * n + tj * 64 + wc + j * 16;
            wmma::fragment<wmma::accumulator, 16, 16, 8, float> old;
            wmma::load_matrix_sync(old, tile, n, wmma::mem_row_major);
#pragma unroll
            for (int e = 0; e < old.num_elements; e++) old.x[e] -= acc[i][j].x[e];
            wmma::store_matrix_sync(tile, old, n, wmma::mem_row_major);
        }
}

// launch quantised_residual_layer: --kernel quantised_residual_layer --grid 16,49 --block 256 --arg i8[1605632]=-127..127 --arg i8[262144]=-127..127 --arg f32[1024]=0.0001..0.001 --arg f32[1024]=-5..5 --arg i8[6422528]=-127..127 --arg i8[6422528] --arg f32:0.7 --arg i32:6272 --arg i32:1024 --arg i32:256
// Inference: the last 1x1 convolution of a quantised residual block: int8 pixels times int8 weights, scale, bias, the residual
// added, clipped at zero, int8 out. Tiles of 128x64x64, eight warps of 32x32, cp.async in three stages, ldmatrix, mma m16n8k32.
__global__ void __launch_bounds__(256)
quantised_residual_layer(const signed char* __restrict__ pixels, const signed char* __restrict__ weight,
                         const float* __restrict__ scale, const float* __restrict__ bias,
                         const signed char* __restrict__ residual, signed char* __restrict__ out, float residual_scale,
                         int m, int n, int k) {
    constexpr int P = 80, STAGES = 3;
    __shared__ __align__(16) signed char sa[STAGES][128 * P];
    __shared__ __align__(16) signed char sb[STAGES][64 * P];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int m0 = blockIdx.y * 128, n0 = blockIdx.x * 64;
    const int wm = (warp >> 1) * 32, wn = (warp & 1) * 32;

    int acc[2][4][4];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) acc[i][j][e] = 0;

    auto fetch = [&](int k0, int stage) {
        const int r = tid >> 2, c = (tid & 3) * 16;
        copy_async_16(&sa[stage][r * P + c], pixels + (size_t)min(m0 + r, m - 1) * k + k0 + c);
        copy_async_16(&sa[stage][(r + 64) * P + c], pixels + (size_t)min(m0 + r + 64, m - 1) * k + k0 + c);
        copy_async_16(&sb[stage][r * P + c], weight + (size_t)(n0 + r) * k + k0 + c);
    };

    const int steps = k / 64;
#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < steps) fetch(s * 64, s);
        commit_copies();
    }
    int stage = 0, ahead = STAGES - 1;
    for (int s = 0; s < steps; s++) {
        wait_copies<STAGES - 2>();
        __syncthreads();
        if (s + STAGES - 1 < steps) fetch((s + STAGES - 1) * 64, ahead);
        commit_copies();
#pragma unroll
        for (int kk = 0; kk < 64; kk += 32) {
            unsigned int fa[2][4], fb[2][4];
#pragma unroll
            for (int i = 0; i < 2; i++)
                load_four(fa[i], &sa[stage][(wm + i * 16 + (lane & 15)) * P + kk + (lane >> 4) * 16]);
#pragma unroll
            for (int j = 0; j < 2; j++)
                load_four(fb[j], &sb[stage][(wn + j * 16 + (lane & 7) + ((lane >> 4) << 3)) * P + kk +
                                            ((lane >> 3) & 1) * 16]);
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    asm volatile(
                        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                        "{%0,%1,%2,%3};\n"
                        : "+r"(acc[i][j][0]), "+r"(acc[i][j][1]), "+r"(acc[i][j][2]), "+r"(acc[i][j][3])
                        : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j >> 1][(j & 1) * 2]),
                          "r"(fb[j >> 1][(j & 1) * 2 + 1]));
        }
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        ahead = ahead + 1 == STAGES ? 0 : ahead + 1;
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int col = n0 + wn + j * 8 + (lane & 3) * 2;
        const float2 sc = *reinterpret_cast<const float2*>(scale + col);
        const float2 bi = *reinterpret_cast<const float2*>(bias + col);
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int row = m0 + wm + i * 16 + h * 8 + (lane >> 2);
                if (row >= m) continue;
                const size_t at = (size_t)row * n + col;
                const char2 old = *reinterpret_cast<const char2*>(residual + at);
                const float f0 = acc[i][j][h * 2] * sc.x + bi.x + residual_scale * old.x;
                const float f1 = acc[i][j][h * 2 + 1] * sc.y + bi.y + residual_scale * old.y;
                char2 q;
                q.x = (signed char)max(0, min(127, __float2int_rn(f0)));
                q.y = (signed char)max(0, min(127, __float2int_rn(f1)));
                *reinterpret_cast<char2*>(out + at) = q;
            }
    }
}
