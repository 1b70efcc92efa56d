// Four products on tensor cores: a gated pair of projections (bf16), single precision by three tf32 products, the nearest of a byte database, and chunks of decaying linear attention (wmma).
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>

static __device__ __forceinline__ unsigned shared_address(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
static __device__ __forceinline__ void copy16(unsigned dst, const void* src)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(dst), "l"(src));
}
static __device__ __forceinline__ void copy16_or_zero(unsigned dst, const void* src, bool there)
{
    const int bytes = there ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(dst), "l"(src), "r"(bytes));
}
static __device__ __forceinline__ void copies_commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N>
static __device__ __forceinline__ void copies_wait()
{
    asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}
static __device__ __forceinline__ void load_matrices(unsigned& a, unsigned& b, unsigned& c, unsigned& d, unsigned at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
}
static __device__ __forceinline__ void mma_bf16(float* c, const unsigned* a, unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
static __device__ __forceinline__ void mma_tf32(float* c, const unsigned* a, const unsigned* b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
static __device__ __forceinline__ void mma_bytes(int* c, const unsigned* a, unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
static __device__ __forceinline__ void split_tf32(float v, unsigned& big, unsigned& small)
{
    asm("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(big) : "f"(v));
    const float rest = v - __uint_as_float(big);
    asm("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(small) : "f"(rest));
}

// launch gated_pair_projection: --kernel gated_pair_projection --grid 16,16 --block 256 --dynamic-shared 49152 --arg bf16[2097152]=-1..1 --arg bf16[1048576]=-0.05..0.05 --arg bf16[1048576]=-0.05..0.05 --arg bf16[2097152] --arg i32:1024 --arg i32:1024
// Language models: silu(X G^T) * (X U^T) in one pass, bf16 with single accumulators; tiles of 128 x 64 of both products
// for each block, three stages of cp.async in swizzled shared memory, ldmatrix and mma.sync.
__global__ void __launch_bounds__(256) gated_pair_projection(const __nv_bfloat16* __restrict__ x,
                                                             const __nv_bfloat16* __restrict__ gate,
                                                             const __nv_bfloat16* __restrict__ up,
                                                             __nv_bfloat16* __restrict__ out, int n, int k)
{
    extern __shared__ __align__(128) unsigned char smem[];
    constexpr int STAGE = 16384;               // 8 KB of X, 4 KB of each weight
    const unsigned base = shared_address(smem);
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int wm = warp >> 1, wn = warp & 1;
    const int m0 = blockIdx.y * 128, n0 = blockIdx.x * 64;

    const int cr = tid >> 2, cc = tid & 3;     // row and 16-byte piece that this thread copies
    const unsigned dst0 = cr * 64 + ((cc ^ ((cr >> 1) & 3)) << 4);
    const __nv_bfloat16* src_x = x + (size_t)(m0 + cr) * k + cc * 8;
    const __nv_bfloat16* src_g = gate + (size_t)(n0 + cr) * k + cc * 8;
    const __nv_bfloat16* src_u = up + (size_t)(n0 + cr) * k + cc * 8;

    float accg[2][4][4], accu[2][4][4];
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) accg[i][j][e] = accu[i][j][e] = 0.f;

    const int steps = k / 32;
#pragma unroll
    for (int s = 0; s < 2; ++s) {
        if (s < steps) {
            const unsigned d = base + s * STAGE + dst0;
            copy16(d, src_x + s * 32);
            copy16(d + 4096, src_x + (size_t)64 * k + s * 32);
            copy16(d + 8192, src_g + s * 32);
            copy16(d + 12288, src_u + s * 32);
        }
        copies_commit();
    }

    int slot = 0, fill = 2;
    for (int s = 0; s < steps; ++s) {
        copies_wait<1>();
        __syncthreads();
        if (s + 2 < steps) {
            const unsigned d = base + fill * STAGE + dst0;
            copy16(d, src_x + (s + 2) * 32);
            copy16(d + 4096, src_x + (size_t)64 * k + (s + 2) * 32);
            copy16(d + 8192, src_g + (s + 2) * 32);
            copy16(d + 12288, src_u + (s + 2) * 32);
        }
        copies_commit();
        fill = fill == 2 ? 0 : fill + 1;

        const unsigned here = base + slot * STAGE;
        slot = slot == 2 ? 0 : slot + 1;
#pragma unroll
        for (int kk = 0; kk < 2; ++kk) {
            unsigned a[2][4];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int row = wm * 32 + i * 16 + (lane & 15);
                const int piece = kk * 2 + (lane >> 4);
                load_matrices(a[i][0], a[i][1], a[i][2], a[i][3], here + row * 64 + ((piece ^ ((row >> 1) & 3)) << 4));
            }
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const int row = wn * 32 + j * 16 + (lane & 7) + ((lane >> 4) << 3);
                const int piece = kk * 2 + ((lane >> 3) & 1);
                const unsigned at = here + row * 64 + ((piece ^ ((row >> 1) & 3)) << 4);
                unsigned g[4], u[4];
                load_matrices(g[0], g[1], g[2], g[3], at + 8192);
                load_matrices(u[0], u[1], u[2], u[3], at + 12288);
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    mma_bf16(accg[i][j * 2], a[i], g[0], g[1]);
                    mma_bf16(accg[i][j * 2 + 1], a[i], g[2], g[3]);
                    mma_bf16(accu[i][j * 2], a[i], u[0], u[1]);
                    mma_bf16(accu[i][j * 2 + 1], a[i], u[2], u[3]);
                }
            }
        }
    }

#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int row = m0 + wm * 32 + i * 16 + h * 8 + (lane >> 2);
                const int col = n0 + wn * 32 + j * 8 + (lane & 3) * 2;
                const float g0 = accg[i][j][h * 2], g1 = accg[i][j][h * 2 + 1];
                const float r0 = __fdividef(g0, 1.f + __expf(-g0)) * accu[i][j][h * 2];
                const float r1 = __fdividef(g1, 1.f + __expf(-g1)) * accu[i][j][h * 2 + 1];
                *reinterpret_cast<__nv_bfloat162*>(out + (size_t)row * n + col) = __floats2bfloat162_rn(r0, r1);
            }
}

// launch three_tf32_products: --kernel three_tf32_products --grid 16,16 --block 128 --arg f32[512000]=-1..1 --arg f32[512000]=-1..1 --arg f32[1000000] --arg i32:1000 --arg i32:1000 --arg i32:512 --arg f32:1.0
// Linear algebra: a product of single precision on tensor cores, each number split into two of tf32 and three products
// summed; tiles of 64 x 64, two stages of cp.async with zeros beyond the edges, fragments read from padded rows.
__global__ void __launch_bounds__(128) three_tf32_products(const float* __restrict__ a, const float* __restrict__ b,
                                                           float* __restrict__ c, int m, int n, int k, float alpha)
{
    __shared__ __align__(16) float as[2][64][20];
    __shared__ __align__(16) float bs[2][16][72];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int wm = (warp >> 1) * 32, wn = (warp & 1) * 32;
    const int m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
    const int g = lane >> 2, t = lane & 3;

    auto bring = [&](int stage, int k0) {
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const int s = tid + r * 128;
            const int ar = s >> 2, ac = (s & 3) * 4;
            const bool in_a = m0 + ar < m && k0 + ac < k;
            copy16_or_zero(shared_address(&as[stage][ar][ac]), in_a ? a + (size_t)(m0 + ar) * k + k0 + ac : a, in_a);
            const int br = s >> 4, bc = (s & 15) * 4;
            const bool in_b = k0 + br < k && n0 + bc < n;
            copy16_or_zero(shared_address(&bs[stage][br][bc]), in_b ? b + (size_t)(k0 + br) * n + n0 + bc : b, in_b);
        }
    };

    float acc[2][4][4] = {};
    const int steps = (k + 15) / 16;
    bring(0, 0);
    copies_commit();
    for (int s = 0; s < steps; ++s) {
        const int now = s & 1;
        if (s + 1 < steps) bring(now ^ 1, (s + 1) * 16);
        copies_commit();
        copies_wait<1>();
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 16; kk += 8) {
            unsigned abig[2][4], asmall[2][4];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int row = wm + i * 16 + g;
                split_tf32(as[now][row][kk + t], abig[i][0], asmall[i][0]);
                split_tf32(as[now][row + 8][kk + t], abig[i][1], asmall[i][1]);
                split_tf32(as[now][row][kk + t + 4], abig[i][2], asmall[i][2]);
                split_tf32(as[now][row + 8][kk + t + 4], abig[i][3], asmall[i][3]);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                unsigned bbig[2], bsmall[2];
                const int col = wn + j * 8 + g;
                split_tf32(bs[now][kk + t][col], bbig[0], bsmall[0]);
                split_tf32(bs[now][kk + t + 4][col], bbig[1], bsmall[1]);
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    mma_tf32(acc[i][j], asmall[i], bbig);
                    mma_tf32(acc[i][j], abig[i], bsmall);
                    mma_tf32(acc[i][j], abig[i], bbig);
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int col = n0 + wn + j * 8 + t * 2;
            const int row = m0 + wm + i * 16 + g;
            if (col < n) {
                if (row < m)
                    *reinterpret_cast<float2*>(c + (size_t)row * n + col) = make_float2(alpha * acc[i][j][0], alpha * acc[i][j][1]);
                if (row + 8 < m)
                    *reinterpret_cast<float2*>(c + (size_t)(row + 8) * n + col) = make_float2(alpha * acc[i][j][2], alpha * acc[i][j][3]);
            }
        }
}

// launch nearest_by_bytes: --kernel nearest_by_bytes --grid 64,4 --block 128 --arg i8[32768]=-127..127 --arg i8[8388608]=-127..127 --arg i32[65536]=400000..900000 --arg i32[16384] --arg i32[16384] --arg i32:256 --arg i32:1024
// Vector search: squared distances of queries from a database of bytes (128 dimensions) by int8 products, the nearest
// of each slice kept; 64 queries a block with fragments held in registers, the database through two stages of cp.async.
__global__ void __launch_bounds__(128) nearest_by_bytes(const signed char* __restrict__ queries,
                                                        const signed char* __restrict__ base,
                                                        const int* __restrict__ norms, int* __restrict__ best_distance,
                                                        int* __restrict__ best_index, int query_count, int slice)
{
    __shared__ __align__(128) unsigned char tile[2][64 * 128];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int g = lane >> 2, t = lane & 3;
    const int q0 = blockIdx.y * 64 + warp * 16;
    const int first = blockIdx.x * slice;

    unsigned a[4][4];
    const unsigned* q_low = reinterpret_cast<const unsigned*>(queries + (size_t)(q0 + g) * 128);
    const unsigned* q_high = q_low + 8 * 32;
#pragma unroll
    for (int s = 0; s < 4; ++s) {
        a[s][0] = q_low[s * 8 + t];
        a[s][1] = q_high[s * 8 + t];
        a[s][2] = q_low[s * 8 + t + 4];
        a[s][3] = q_high[s * 8 + t + 4];
    }

    const int tiles = slice / 64;
    auto bring = [&](int stage, int which) {
        const signed char* src = base + (size_t)(first + which * 64) * 128;
        const unsigned dst = shared_address(&tile[stage][0]);
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            const int s = tid + r * 128;
            const int row = s >> 3, piece = s & 7;
            copy16(dst + row * 128 + ((piece ^ (row & 7)) << 4), src + row * 128 + piece * 16);
        }
    };

    int near_low = 0x7fffffff, near_high = 0x7fffffff, at_low = -1, at_high = -1;
    bring(0, 0);
    copies_commit();
    for (int w = 0; w < tiles; ++w) {
        if (w + 1 < tiles) bring((w + 1) & 1, w + 1);
        copies_commit();
        copies_wait<1>();
        __syncthreads();
        const unsigned here = shared_address(&tile[w & 1][0]);
#pragma unroll 2
        for (int j = 0; j < 8; ++j) {
            const int row = j * 8 + (lane & 7);
            unsigned b[8];
            load_matrices(b[0], b[1], b[2], b[3], here + row * 128 + (((lane >> 3) ^ (row & 7)) << 4));
            load_matrices(b[4], b[5], b[6], b[7], here + row * 128 + ((((lane >> 3) + 4) ^ (row & 7)) << 4));
            int acc[4] = {0, 0, 0, 0};
#pragma unroll
            for (int s = 0; s < 4; ++s) mma_bytes(acc, a[s], b[s * 2], b[s * 2 + 1]);

            const int id = first + w * 64 + j * 8 + t * 2;
            const int2 norm = *reinterpret_cast<const int2*>(norms + id);
            int d = norm.x - 2 * acc[0];
            if (d < near_low) { near_low = d; at_low = id; }
            d = norm.y - 2 * acc[1];
            if (d < near_low) { near_low = d; at_low = id + 1; }
            d = norm.x - 2 * acc[2];
            if (d < near_high) { near_high = d; at_high = id; }
            d = norm.y - 2 * acc[3];
            if (d < near_high) { near_high = d; at_high = id + 1; }
        }
        __syncthreads();
    }

#pragma unroll
    for (int o = 1; o < 4; o <<= 1) {
        int d = __shfl_xor_sync(0xffffffffu, near_low, o);
        int i = __shfl_xor_sync(0xffffffffu, at_low, o);
        if (d < near_low || (d == near_low && i < at_low)) { near_low = d; at_low = i; }
        d = __shfl_xor_sync(0xffffffffu, near_high, o);
        i = __shfl_xor_sync(0xffffffffu, at_high, o);
        if (d < near_high || (d == near_high && i < at_high)) { near_high = d; at_high = i; }
    }
    if (t == 0) {
        const int o = blockIdx.x * query_count + q0 + g;
        best_distance[o] = near_low;
        best_index[o] = at_low;
        best_distance[o + 8] = near_high;
        best_index[o + 8] = at_high;
    }
}

// launch retention_chunks: --kernel retention_chunks --grid 32,32 --block 128 --arg f16[4194304]=-1..1 --arg f16[4194304]=-1..1 --arg f16[4194304]=-1..1 --arg f16[4194304]=-1..1 --arg f32[8]=0.9..0.99 --arg f16[4194304] --arg i32:2048 --arg i32:8 --arg f32:0.125
// Language models: outputs of decaying linear attention by chunks of 64 positions: (Q K^T weighed by decay, causal) V
// plus decayed Q times the state that the chunk found; wmma, 16 rows a warp, one chunk of a head for each block.
__global__ void __launch_bounds__(128) retention_chunks(const __half* __restrict__ q, const __half* __restrict__ k,
                                                        const __half* __restrict__ v, const __half* __restrict__ states,
                                                        const float* __restrict__ decay, __half* __restrict__ out,
                                                        int length, int heads, float scale)
{
    using namespace nvcuda;
    constexpr int P = 72, F = 68;
    __shared__ __align__(32) __half qs[64 * P];
    __shared__ __align__(32) __half ks[64 * P];
    __shared__ __align__(32) __half vs[64 * P];
    __shared__ __align__(32) float fs[64 * F];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int chunk = blockIdx.x, bh = blockIdx.y;
    const size_t start = ((size_t)bh * length + chunk * 64) * 64;
    const float rate = log2f(decay[bh % heads]);

    for (int s = tid; s < 64 * 8; s += 128) {
        const int row = s >> 3, piece = (s & 7) * 8;
        *reinterpret_cast<uint4*>(qs + row * P + piece) = *reinterpret_cast<const uint4*>(q + start + row * 64 + piece);
        *reinterpret_cast<uint4*>(ks + row * P + piece) = *reinterpret_cast<const uint4*>(k + start + row * 64 + piece);
        *reinterpret_cast<uint4*>(vs + row * P + piece) = *reinterpret_cast<const uint4*>(v + start + row * 64 + piece);
    }
    __syncthreads();

    const int r0 = warp * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fk;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[4];

    // scores up to the diagonal
    for (int j = 0; j <= warp; ++j) {
        wmma::fill_fragment(acc[0], 0.f);
#pragma unroll
        for (int d = 0; d < 64; d += 16) {
            wmma::load_matrix_sync(fa, qs + r0 * P + d, P);
            wmma::load_matrix_sync(fk, ks + j * 16 * P + d, P);
            wmma::mma_sync(acc[0], fa, fk, acc[0]);
        }
        wmma::store_matrix_sync(fs + r0 * F + j * 16, acc[0], F, wmma::mem_row_major);
    }
    __syncthreads();                           // nobody needs the keys now

    // weighed scores into the place of the keys; queries decayed in place
    const int span = (warp + 1) * 16;
    for (int r = 0; r < 16; ++r) {
        const int row = r0 + r;
        for (int col = lane; col < span; col += 32) {
            const float w = col <= row ? scale * exp2f(rate * (float)(row - col)) : 0.f;
            ks[row * P + col] = __float2half(w * fs[row * F + col]);
        }
        const __half2 f = __float2half2_rn(scale * exp2f(rate * (float)(row + 1)));
        __half2* p = reinterpret_cast<__half2*>(qs + row * P) + lane;
        *p = __hmul2(*p, f);
    }
    __syncwarp();

#pragma unroll
    for (int n = 0; n < 4; ++n) wmma::fill_fragment(acc[n], 0.f);
    for (int j = 0; j <= warp; ++j) {
        wmma::load_matrix_sync(fa, ks + r0 * P + j * 16, P);
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            wmma::load_matrix_sync(fb, vs + j * 16 * P + n * 16, P);
            wmma::mma_sync(acc[n], fa, fb, acc[n]);
        }
    }
    const __half* state = states + ((size_t)bh * (length / 64) + chunk) * 4096;
#pragma unroll
    for (int d = 0; d < 64; d += 16) {
        wmma::load_matrix_sync(fa, qs + r0 * P + d, P);
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            wmma::load_matrix_sync(fb, state + d * 64 + n * 16, 64);
            wmma::mma_sync(acc[n], fa, fb, acc[n]);
        }
    }
#pragma unroll
    for (int n = 0; n < 4; ++n) wmma::store_matrix_sync(fs + r0 * F + n * 16, acc[n], F, wmma::mem_row_major);
    __syncwarp();

    for (int s = lane; s < 16 * 32; s += 32) {
        const int row = r0 + (s >> 5), col = (s & 31) * 2;
        const float2 f = *reinterpret_cast<const float2*>(fs + row * F + col);
        *reinterpret_cast<__half2*>(out + start + row * 64 + col) = __floats2half2_rn(f.x, f.y);
    }
}
