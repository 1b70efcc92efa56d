// Products on tensor cores: of eight bits, tf32 and bf16, with an epilogue, and inside attention.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__device__ void copy_ahead(void* to, const void* from) {
    unsigned where = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(where), "l"(from));
}
__device__ void load_matrices(unsigned (&r)[4], const void* at) {
    unsigned where = (unsigned)__cvta_generic_to_shared(at);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(where));
}
__device__ void load_turned(unsigned (&r)[4], const void* at) {
    unsigned where = (unsigned)__cvta_generic_to_shared(at);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(where));
}

// launch linear_gelu: --kernel linear_gelu --grid 16,64 --block 128 --arg bf16[4194304]=-1..1 --arg bf16[1048576]=-0.1..0.1 --arg f32[1024]=-1..1 --arg bf16[4194304] --arg i32:1024 --arg i32:1024
// A layer in bf16: a tile of 64 x 64 by wmma, then bias and activation on its way through shared memory.
__global__ void linear_gelu(const __nv_bfloat16* __restrict__ A, const __nv_bfloat16* __restrict__ B,
                            const float* __restrict__ bias, __nv_bfloat16* __restrict__ C, int n, int depth) {
    __shared__ __align__(32) __nv_bfloat16 a[64][40], b[32][72];
    __shared__ __align__(32) float c[64][68];
    int t = threadIdx.x, warp = t / 32, row = blockIdx.y * 64, col = blockIdx.x * 64;
    int down = warp / 2 * 32, along = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
    for (int k = 0; k < depth; k += 32) {
#pragma unroll
        for (int i = t; i < 256; i += 128) {
            *(uint4*)&a[i / 4][i % 4 * 8] = *(const uint4*)&A[(row + i / 4) * depth + k + i % 4 * 8];
            *(uint4*)&b[i / 8][i % 8 * 8] = *(const uint4*)&B[(k + i / 8) * n + col + i % 8 * 8];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 32; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> of_a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> of_b[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(of_a[i], &a[down + 16 * i][step], 40);
                wmma::load_matrix_sync(of_b[i], &b[step][along + 16 * i], 72);
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], of_a[i], of_b[j], sums[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(&c[down + 16 * i][along + 16 * j], sums[i][j], 68, wmma::mem_row_major);
    __syncthreads();
    for (int i = t; i < 2048; i += 128) {
        int y = i / 32, x = i % 32 * 2;
        float u = c[y][x] + bias[col + x], v = c[y][x + 1] + bias[col + x + 1];
        u = u / (1 + __expf(-1.702f * u));
        v = v / (1 + __expf(-1.702f * v));
        *(__nv_bfloat162*)&C[(row + y) * n + col + x] = __floats2bfloat162_rn(u, v);
    }
}

// launch int8_tiles: --kernel int8_tiles --grid 32,16 --block 256 --arg u8[4194304] --arg u8[8388608] --arg i32[8388608] --arg i32:4096 --arg i32:2048
// Bytes by bytes, the second matrix by columns: a tile of 128 x 128 in eight warps, 64 bytes along K, two stages.
__global__ void __launch_bounds__(256) int8_tiles(const signed char* __restrict__ A, const signed char* __restrict__ B,
                                                  int* __restrict__ C, int n, int depth) {
    __shared__ __align__(16) signed char a[2][128][80], b[2][128][80];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * 128, col = blockIdx.x * 128;
    int down = warp / 4 * 64, along = warp % 4 * 32;
    int sums[4][4][4] = {};
    auto bring = [&](int stage, int k) {
#pragma unroll
        for (int i = t; i < 512; i += 256) {
            copy_ahead(&a[stage][i / 4][i % 4 * 16], &A[(row + i / 4) * depth + k + i % 4 * 16]);
            copy_ahead(&b[stage][i / 4][i % 4 * 16], &B[(col + i / 4) * depth + k + i % 4 * 16]);
        }
        asm volatile("cp.async.commit_group;");
    };
    bring(0, 0);
    int stage = 0;
    for (int k = 0; k < depth; k += 64, stage ^= 1) {
        asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        if (k + 64 < depth) bring(stage ^ 1, k + 64);
        unsigned of_b[4][4];
#pragma unroll
        for (int j = 0; j < 4; ++j) load_matrices(of_b[j], &b[stage][along + 8 * j + lane % 8][lane / 8 * 16]);
#pragma unroll
        for (int step = 0; step < 2; ++step)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                unsigned of_a[4];
                load_matrices(of_a, &a[stage][down + 16 * i + lane % 16][step * 32 + lane / 16 * 16]);
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+r"(sums[i][j][0]), "+r"(sums[i][j][1]), "+r"(sums[i][j][2]), "+r"(sums[i][j][3])
                                 : "r"(of_a[0]), "r"(of_a[1]), "r"(of_a[2]), "r"(of_a[3]), "r"(of_b[j][2 * step]),
                                   "r"(of_b[j][2 * step + 1]));
            }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int r = 0; r < 2; ++r)
                *(int2*)&C[(row + down + 16 * i + lane / 4 + 8 * r) * n + col + along + 8 * j + lane % 4 * 2] =
                    make_int2(sums[i][j][2 * r], sums[i][j][2 * r + 1]);
}

__device__ unsigned to_tf32(float x) {
    unsigned rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
    return rounded;
}

// launch tf32_stages: --kernel tf32_stages --grid 32,16 --block 256 --dynamic-shared 59392 --arg f32[2097152]=-1..1 --arg f32[2097152]=-1..1 --arg f32[4194304] --arg i32:2048 --arg i32:1024
// Floats rounded to tf32: a tile of 128 x 64 in eight warps, sixteen along K, four stages on their way.
__global__ void __launch_bounds__(256) tf32_stages(const float* __restrict__ A, const float* __restrict__ B,
                                                   float* __restrict__ C, int n, int depth) {
    extern __shared__ __align__(16) float held[];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * 128, col = blockIdx.x * 64;
    int down = warp / 2 * 32, along = warp % 2 * 32, group = lane / 4, part = lane % 4;
    float sums[2][4][4] = {};
    auto bring = [&](int stage, int k) {
        float *a = held + stage * 3712, *b = a + 2560;
#pragma unroll
        for (int i = t; i < 512; i += 256)
            copy_ahead(&a[i / 4 * 20 + i % 4 * 4], &A[(row + i / 4) * depth + k + i % 4 * 4]);
        copy_ahead(&b[t / 16 * 72 + t % 16 * 4], &B[(k + t / 16) * n + col + t % 16 * 4]);
    };
    for (int stage = 0; stage < 3; ++stage) {
        bring(stage, stage * 16);
        asm volatile("cp.async.commit_group;");
    }
    for (int k = 0, stage = 0; k < depth; k += 16, stage = (stage + 1) % 4) {
        asm volatile("cp.async.wait_group 2;");
        __syncthreads();
        if (k + 48 < depth) bring((stage + 3) % 4, k + 48);
        asm volatile("cp.async.commit_group;");
        const float *a = held + stage * 3712, *b = a + 2560;
#pragma unroll
        for (int step = 0; step < 16; step += 8) {
            unsigned of_a[2][4], of_b[4][2];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int r = 0; r < 4; ++r)
                    of_a[i][r] = to_tf32(a[(down + 16 * i + group + r % 2 * 8) * 20 + step + part + r / 2 * 4]);
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int r = 0; r < 2; ++r) of_b[j][r] = to_tf32(b[(step + part + 4 * r) * 72 + along + 8 * j + group]);
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
                                 : "r"(of_a[i][0]), "r"(of_a[i][1]), "r"(of_a[i][2]), "r"(of_a[i][3]), "r"(of_b[j][0]),
                                   "r"(of_b[j][1]));
        }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int r = 0; r < 2; ++r)
                *(float2*)&C[(row + down + 16 * i + group + 8 * r) * n + col + along + 8 * j + part * 2] =
                    make_float2(sums[i][j][2 * r], sums[i][j][2 * r + 1]);
}

__device__ void mma_16816(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ unsigned packed(float low, float high) {
    half2 pair = __floats2half2_rn(low, high);
    return *(unsigned*)&pair;
}

// launch attention: --kernel attention --grid 16,64 --block 128 --arg f16[4194304]=-1..1 --arg f16[4194304]=-1..1 --arg f16[4194304]=-1..1 --arg f16[4194304] --arg i32:1024
// Attention of 64 heads, 1,024 x 64 each: sixteen queries a warp; scores, softmax and weights stay in registers.
__global__ void __launch_bounds__(128) attention(const half* __restrict__ Q, const half* __restrict__ K,
                                                 const half* __restrict__ V, half* __restrict__ O, int length) {
    __shared__ __align__(16) half keys[2][64][72], values[2][64][72];
    int t = threadIdx.x, lane = t % 32, group = lane / 4, part = lane % 4, head = blockIdx.y * length * 64;
    int row = blockIdx.x * 64 + t / 32 * 16 + group;
    auto bring = [&](int stage, int key) {
#pragma unroll
        for (int i = t; i < 512; i += 128) {
            copy_ahead(&keys[stage][i / 8][i % 8 * 8], &K[head + (key + i / 8) * 64 + i % 8 * 8]);
            copy_ahead(&values[stage][i / 8][i % 8 * 8], &V[head + (key + i / 8) * 64 + i % 8 * 8]);
        }
        asm volatile("cp.async.commit_group;");
    };
    bring(0, 0);
    unsigned queries[4][4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int r = 0; r < 4; ++r)
            queries[k][r] = *(const unsigned*)&Q[head + (row + r % 2 * 8) * 64 + k * 16 + part * 2 + r / 2 * 8];
    float out[8][4] = {}, most[2] = {-1e30f, -1e30f}, total[2] = {};
    int stage = 0;
    for (int key = 0; key < length; key += 64, stage ^= 1) {
        asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        if (key + 64 < length) bring(stage ^ 1, key + 64);
        float scores[8][4] = {};
#pragma unroll
        for (int j = 0; j < 8; ++j)
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                unsigned of_k[4];
                load_matrices(of_k, &keys[stage][8 * j + lane % 8][32 * k + lane / 8 * 8]);
                mma_16816(scores[j], queries[2 * k], of_k[0], of_k[1]);
                mma_16816(scores[j], queries[2 * k + 1], of_k[2], of_k[3]);
            }
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            float largest = most[r];
#pragma unroll
            for (int j = 0; j < 8; ++j) largest = fmaxf(largest, fmaxf(scores[j][2 * r], scores[j][2 * r + 1]));
            largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 1));
            largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 2));
            float shrink = exp2f((most[r] - largest) * 0.18033688f);
            most[r] = largest;
            total[r] *= shrink;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                out[j][2 * r] *= shrink;
                out[j][2 * r + 1] *= shrink;
                scores[j][2 * r] = exp2f((scores[j][2 * r] - largest) * 0.18033688f);
                scores[j][2 * r + 1] = exp2f((scores[j][2 * r + 1] - largest) * 0.18033688f);
                total[r] += scores[j][2 * r] + scores[j][2 * r + 1];
            }
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned weights[4] = {packed(scores[2 * k][0], scores[2 * k][1]),
                                   packed(scores[2 * k][2], scores[2 * k][3]),
                                   packed(scores[2 * k + 1][0], scores[2 * k + 1][1]),
                                   packed(scores[2 * k + 1][2], scores[2 * k + 1][3])};
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                unsigned of_v[4];
                load_turned(of_v, &values[stage][16 * k + lane % 16][16 * j + lane / 16 * 8]);
                mma_16816(out[2 * j], weights, of_v[0], of_v[1]);
                mma_16816(out[2 * j + 1], weights, of_v[2], of_v[3]);
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        float sum = total[r] + __shfl_xor_sync(~0u, total[r], 1);
        sum += __shfl_xor_sync(~0u, sum, 2);
        float factor = 1 / sum;
#pragma unroll
        for (int j = 0; j < 8; ++j)
            *(half2*)&O[head + (row + 8 * r) * 64 + 8 * j + part * 2] =
                __floats2half2_rn(out[j][2 * r] * factor, out[j][2 * r + 1] * factor);
    }
}
