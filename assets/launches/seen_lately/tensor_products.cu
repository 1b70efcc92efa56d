// Products on tensor cores: a convolution, correlations of prices, integrals of orbitals in doubles, and attention in one go.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// launch three_by_three: --kernel three_by_three --grid 4,16,24 --block 128 --arg f16[6690816]=-1..1 --arg f16[36864]=-0.1..0.1 --arg f16[6291456] --arg i32:66
// Networks for pictures: a convolution of 3 x 3 from 64 to 64 channels over 24 pictures of 64 x 64, with their rims.
// A block has 16 x 4 pixels with what lies round them in shared memory; a warp has sixteen pixels and all 64 channels.
__global__ void __launch_bounds__(128) three_by_three(const half* __restrict__ in, const half* __restrict__ weights,
                                                      half* __restrict__ out, int width) {
    __shared__ __align__(32) half tile[6 * 18][80];
    int t = threadIdx.x, warp = t / 32, left = blockIdx.x * 16, top = blockIdx.y * 4;
    const half* from = in + ((size_t)blockIdx.z * width * width + top * width + left) * 64;
    for (int i = t; i < 6 * 18 * 8; i += 128) {
        int place = i / 8, c = i % 8 * 8;
        *(uint4*)&tile[place][c] = *(const uint4*)&from[(place / 18 * width + place % 18) * 64 + c];
    }
    __syncthreads();
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> sums[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) wmma::fill_fragment(sums[j], __float2half(0.0f));
#pragma unroll 1
    for (int tap = 0; tap < 9; ++tap) {
        const half* a = &tile[(warp + tap / 3) * 18 + tap % 3][0];
#pragma unroll
        for (int k = 0; k < 64; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> pixels;
            wmma::load_matrix_sync(pixels, a + k, 80);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> filter;
                wmma::load_matrix_sync(filter, weights + (tap * 64 + k) * 64 + 16 * j, 64);
                wmma::mma_sync(sums[j], pixels, filter, sums[j]);
            }
        }
    }
    half* to = out + (((size_t)blockIdx.z * 64 + top + warp) * 64 + left) * 64;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
        for (int e = 0; e < sums[j].num_elements; ++e) sums[j].x[e] = __hmax(sums[j].x[e], __float2half(0.0f));
        wmma::store_matrix_sync(to + 16 * j, sums[j], 64, wmma::mem_row_major);
    }
}

// launch correlations: --kernel correlations --grid 24,24 --block 128 --arg f32[1179648]=-2..2 --arg f32[2359296] --arg i32:1536 --arg i32:768
// Finance: how 1,536 series of 768 returns go together, in floats with short mantissas (TF32).
// Only the lower half is worked out: blocks above the diagonal end at once, others store their tile twice.
__global__ void __launch_bounds__(128) correlations(const float* __restrict__ series, float* __restrict__ out, int n, int days) {
    if (blockIdx.x > blockIdx.y) return;
    __shared__ __align__(16) float a[64][36], b[64][36];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, group = lane / 4, part = lane % 4;
    int row = blockIdx.y * 64, col = blockIdx.x * 64, down = warp / 2 * 32, along = warp % 2 * 32;
    float sums[2][4][4] = {};
    for (int k = 0; k < days; k += 32) {
        __syncthreads();
#pragma unroll
        for (int i = t; i < 512; i += 128) {
            int r = i / 8, c = i % 8 * 4;
            *(float4*)&a[r][c] = *(const float4*)&series[(row + r) * days + k + c];
            *(float4*)&b[r][c] = *(const float4*)&series[(col + r) * days + k + c];
        }
        __syncthreads();
        auto shortened = [](float v) {
            unsigned r;
            asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
            return r;
        };
#pragma unroll
        for (int s = 0; s < 32; s += 8) {
            unsigned p[2][4], q[4][2];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    p[i][e] = shortened(a[down + 16 * i + group + e % 2 * 8][s + part + e / 2 * 4]);
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int e = 0; e < 2; ++e) q[j][e] = shortened(b[along + 8 * j + group][s + part + e * 4]);
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                                 "{%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
                                 : "r"(p[i][0]), "r"(p[i][1]), "r"(p[i][2]), "r"(p[i][3]), "r"(q[j][0]), "r"(q[j][1]));
        }
    }
    float scale = 1.0f / days;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                int y = row + down + 16 * i + group + 8 * e, x = col + along + 8 * j + part * 2;
                float2 v = make_float2(sums[i][j][2 * e] * scale, sums[i][j][2 * e + 1] * scale);
                *(float2*)&out[(size_t)y * n + x] = v;
                if (row != col) {
                    out[(size_t)x * n + y] = v.x;
                    out[(size_t)(x + 1) * n + y] = v.y;
                }
            }
}

// launch orbital_integrals: --kernel orbital_integrals --grid 12,24 --block 128 --arg f64[589824]=-1..1 --arg f64[294912]=-1..1 --arg f64[294912] --arg i32:384 --arg i32:768
// Quantum chemistry: integrals between 768 orbitals are carried over to 384 others, in doubles.
// A tile of 32 x 32 a block, sixteen steps along K at a time; a warp has 16 x 16 of it as four fragments of 8 x 8.
__global__ void __launch_bounds__(128) orbital_integrals(const double* __restrict__ A, const double* __restrict__ B,
                                                         double* __restrict__ C, int n, int depth) {
    __shared__ __align__(32) double a[32][20], b[16][36];
    int t = threadIdx.x, warp = t / 32, row = blockIdx.y * 32, col = blockIdx.x * 32, down = warp / 2 * 16, along = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sums[2][2];
#pragma unroll
    for (int i = 0; i < 4; ++i) wmma::fill_fragment(sums[i / 2][i % 2], 0.0);
    for (int k = 0; k < depth; k += 16) {
        __syncthreads();
#pragma unroll
        for (int i = t; i < 256; i += 128) {
            *(double2*)&a[i / 8][i % 8 * 2] = *(const double2*)&A[(size_t)(row + i / 8) * depth + k + i % 8 * 2];
            *(double2*)&b[i / 16][i % 16 * 2] = *(const double2*)&B[(size_t)(k + i / 16) * n + col + i % 16 * 2];
        }
        __syncthreads();
#pragma unroll
        for (int s = 0; s < 16; s += 4) {
            wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> left[2];
            wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> right[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(left[i], &a[down + 8 * i][s], 20);
                wmma::load_matrix_sync(right[i], &b[s][along + 8 * i], 36);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) wmma::mma_sync(sums[i / 2][i % 2], left[i / 2], right[i % 2], sums[i / 2][i % 2]);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        wmma::store_matrix_sync(&C[(size_t)(row + down + i / 2 * 8) * n + col + along + i % 2 * 8], sums[i / 2][i % 2], n,
                                wmma::mem_row_major);
}

// launch attention_at_once: --kernel attention_at_once --grid 16,40 --block 128 --arg f16[2621440]=-1..1 --arg f16[2621440]=-1..1 --arg f16[2621440]=-1..1 --arg f16[2621440] --arg i32:1024
// Language models: attention of 40 heads over 1,024 tokens of 64 halves, scores never leaving the registers.
// A warp has sixteen queries; keys and values come 64 at a time through shared memory, and the softmax is carried along.
__global__ void __launch_bounds__(128) attention_at_once(const half* __restrict__ Q, const half* __restrict__ K,
                                                         const half* __restrict__ V, half* __restrict__ out, int tokens) {
    __shared__ __align__(16) half keys[64][72], values[64][72];
    int t = threadIdx.x, lane = t % 32, group = lane / 4, part = lane % 4;
    size_t base = (size_t)blockIdx.y * tokens * 64;
    int row = blockIdx.x * 64 + t / 32 * 16 + group;
    unsigned q[4][4];
    const unsigned* from = (const unsigned*)(Q + base + row * 64) + part;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        q[k][0] = from[k * 8], q[k][1] = from[k * 8 + 256];
        q[k][2] = from[k * 8 + 4], q[k][3] = from[k * 8 + 260];
    }
    float sums[8][4] = {}, most[2] = {-1e30f, -1e30f}, total[2] = {0, 0};
    auto product = [](float* c, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    };
    for (int first = 0; first < tokens; first += 64) {
        __syncthreads();
#pragma unroll
        for (int i = t; i < 512; i += 128) {
            *(uint4*)&keys[i / 8][i % 8 * 8] = *(const uint4*)&K[base + (size_t)(first + i / 8) * 64 + i % 8 * 8];
            *(uint4*)&values[i / 8][i % 8 * 8] = *(const uint4*)&V[base + (size_t)(first + i / 8) * 64 + i % 8 * 8];
        }
        __syncthreads();
        float s[8][4];
#pragma unroll
        for (int j = 0; j < 8; ++j) {
#pragma unroll
            for (int e = 0; e < 4; ++e) s[j][e] = 0;
            const unsigned* key = (const unsigned*)&keys[j * 8 + group][0] + part;
#pragma unroll
            for (int k = 0; k < 4; ++k) product(s[j], q[k][0], q[k][1], q[k][2], q[k][3], key[k * 8], key[k * 8 + 4]);
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float best = most[h], sum = 0;
#pragma unroll
            for (int j = 0; j < 8; ++j) best = fmaxf(best, fmaxf(s[j][2 * h], s[j][2 * h + 1]));
            best = fmaxf(best, __shfl_xor_sync(~0u, best, 1));
            best = fmaxf(best, __shfl_xor_sync(~0u, best, 2));
            float fade = exp2f((most[h] - best) * 0.18033688f);
            most[h] = best;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                s[j][2 * h] = exp2f((s[j][2 * h] - best) * 0.18033688f);
                s[j][2 * h + 1] = exp2f((s[j][2 * h + 1] - best) * 0.18033688f);
                sum += s[j][2 * h] + s[j][2 * h + 1];
                sums[j][2 * h] *= fade;
                sums[j][2 * h + 1] *= fade;
            }
            total[h] = total[h] * fade + sum;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            half2 p[4] = {__floats2half2_rn(s[2 * k][0], s[2 * k][1]), __floats2half2_rn(s[2 * k][2], s[2 * k][3]),
                          __floats2half2_rn(s[2 * k + 1][0], s[2 * k + 1][1]), __floats2half2_rn(s[2 * k + 1][2], s[2 * k + 1][3])};
            unsigned a0 = *(unsigned*)&p[0], a1 = *(unsigned*)&p[1], a2 = *(unsigned*)&p[2], a3 = *(unsigned*)&p[3];
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                unsigned b0, b1, place = (unsigned)__cvta_generic_to_shared(&values[k * 16 + lane % 16][j * 8]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(b0), "=r"(b1) : "r"(place));
                product(sums[j], a0, a1, a2, a3, b0, b1);
            }
        }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        float all = total[h];
        all += __shfl_xor_sync(~0u, all, 1);
        all += __shfl_xor_sync(~0u, all, 2);
        float inverse = 1 / all;
        half2* to = (half2*)(out + base + (row + 8 * h) * 64) + part;
#pragma unroll
        for (int j = 0; j < 8; ++j) to[j * 4] = __floats2half2_rn(sums[j][2 * h] * inverse, sums[j][2 * h + 1] * inverse);
    }
}
