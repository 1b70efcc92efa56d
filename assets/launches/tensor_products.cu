// Products on tensor cores: fragments from memory, from shared tiles, and through copies that run ahead.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// launch wmma_from_memory: --kernel wmma_from_memory --grid 32,16 --block 64,4 --arg f16[1048576]=-1..1 --arg f16[1048576]=-1..1 --arg f32[1048576] --arg i32:1024
// Each warp has one tile of 16 x 16, and loads its fragments from global memory.
__global__ void wmma_from_memory(const half* A, const half* B, float* C, int n) {
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * 16, col = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(a, A + row * n + k, n);
        wmma::load_matrix_sync(b, B + k * n + col, n);
        wmma::mma_sync(sums, a, b, sums);
    }
    wmma::store_matrix_sync(C + row * n + col, sums, n, wmma::mem_row_major);
}

// launch wmma_shared: --kernel 'wmma_shared<0>' --grid 16,16 --block 128 --arg f16[1048576]=-1..1 --arg f16[1048576]=-1..1 --arg f32[1048576] --arg i32:1024
// launch wmma_shared_padded: --kernel 'wmma_shared<8>' --grid 32,32 --block 128 --arg f16[4194304]=-1..1 --arg f16[4194304]=-1..1 --arg f32[4194304] --arg i32:2048
// A tile of 64 x 64 in four warps, 32 x 32 each; 32 steps along K at a time through shared memory.
template <int PAD>
__global__ void wmma_shared(const half* A, const half* B, float* C, int n) {
    __shared__ __align__(32) half a[64][32 + PAD], b[32][64 + PAD];
    int t = threadIdx.x, warp = t / 32, row = blockIdx.y * 64, col = blockIdx.x * 64;
    int down = warp / 2 * 32, along = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
    for (int k = 0; k < n; k += 32) {
#pragma unroll
        for (int i = t; i < 256; i += 128) {
            *(uint4*)&a[i / 4][i % 4 * 8] = *(const uint4*)&A[(row + i / 4) * n + k + i % 4 * 8];
            *(uint4*)&b[i / 8][i % 8 * 8] = *(const uint4*)&B[(k + i / 8) * n + col + i % 8 * 8];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 32; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> of_a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> of_b[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(of_a[i], &a[down + 16 * i][step], 32 + PAD);
                wmma::load_matrix_sync(of_b[i], &b[step][along + 16 * i], 64 + PAD);
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
            wmma::store_matrix_sync(C + (row + down + 16 * i) * n + col + along + 16 * j, sums[i][j], n,
                                    wmma::mem_row_major);
}

__device__ void mma_16816(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ void load_matrices(unsigned (&r)[4], const half* at) {
    unsigned where = (unsigned)__cvta_generic_to_shared(at);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(where));
}
__device__ void load_turned(unsigned (&r)[4], const half* at) {
    unsigned where = (unsigned)__cvta_generic_to_shared(at);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(where));
}
__device__ void copy_ahead(half* to, const half* from) {
    unsigned where = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(where), "l"(from));
}

// launch mma_plain: --kernel 'mma_tiles<1>' --grid 16,16 --block 256 --arg f16[4194304]=-1..1 --arg f16[4194304]=-1..1 --arg f32[4194304] --arg i32:2048
// launch mma_ahead: --kernel 'mma_tiles<2>' --grid 32,32 --block 256 --arg f16[16777216]=-1..1 --arg f16[16777216]=-1..1 --arg f32[16777216] --arg i32:4096
// A tile of 128 x 128 in eight warps, 64 x 32 each, 32 steps along K at a time; STAGES tiles on their way at once.
template <int STAGES>
__global__ void mma_tiles(const half* A, const half* B, float* C, int n) {
    __shared__ __align__(16) half a[STAGES][128][40];
    __shared__ __align__(16) half b[STAGES][32][136];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * 128, col = blockIdx.x * 128;
    int down = warp / 4 * 64, along = warp % 4 * 32;
    float sums[4][4][4] = {};
    auto bring = [&](int stage, int k) {
#pragma unroll
        for (int i = t; i < 512; i += 256) {
            copy_ahead(&a[stage][i / 4][i % 4 * 8], &A[(row + i / 4) * n + k + i % 4 * 8]);
            copy_ahead(&b[stage][i / 16][i % 16 * 8], &B[(k + i / 16) * n + col + i % 16 * 8]);
        }
    };
#pragma unroll
    for (int stage = 0; stage < STAGES - 1; ++stage) {
        bring(stage, stage * 32);
        asm volatile("cp.async.commit_group;");
    }
    int stage = 0, next = STAGES - 1;
    for (int k = 0; k < n; k += 32) {
        if (STAGES == 1) bring(0, k);
        else {
            asm volatile("cp.async.wait_group 0;");
            __syncthreads();
            if (k + (STAGES - 1) * 32 < n) bring(next, k + (STAGES - 1) * 32);
        }
        asm volatile("cp.async.commit_group;");
        if (STAGES == 1) {
            asm volatile("cp.async.wait_group 0;");
            __syncthreads();
        }
#pragma unroll
        for (int step = 0; step < 32; step += 16) {
            unsigned of_a[4][4], of_b[2][4];
#pragma unroll
            for (int i = 0; i < 4; ++i) load_matrices(of_a[i], &a[stage][down + 16 * i + lane % 16][step + lane / 16 * 8]);
#pragma unroll
            for (int j = 0; j < 2; ++j)
                load_turned(of_b[j], &b[stage][step + lane % 16][along + 16 * j + lane / 16 * 8]);
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    unsigned half_b[2] = {of_b[j / 2][j % 2 * 2], of_b[j / 2][j % 2 * 2 + 1]};
                    mma_16816(sums[i][j], of_a[i], half_b);
                }
        }
        if (STAGES == 1) __syncthreads();
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        next = next + 1 == STAGES ? 0 : next + 1;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                float2 pair = make_float2(sums[i][j][2 * r], sums[i][j][2 * r + 1]);
                int y = row + down + 16 * i + lane / 4 + 8 * r, x = col + along + 8 * j + lane % 4 * 2;
                *(float2*)&C[y * n + x] = pair;
            }
}

// launch scores_of_heads: --kernel scores_of_heads --grid 8,8,64 --block 128 --arg f16[2097152]=-1..1 --arg f16[2097152]=-1..1 --arg f32[16777216]
// Q K^T of 64 heads, 512 x 64 each: one tile of 64 x 64 a block, and much to store for it.
__global__ void scores_of_heads(const half* Q, const half* K, float* scores) {
    __shared__ __align__(16) half q[64][72], k[64][72];
    int t = threadIdx.x, warp = t / 32, row = blockIdx.y * 64, col = blockIdx.x * 64;
    const half *from_q = Q + blockIdx.z * 512 * 64, *from_k = K + blockIdx.z * 512 * 64;
#pragma unroll
    for (int i = t; i < 512; i += 128) {
        *(uint4*)&q[i / 8][i % 8 * 8] = *(const uint4*)&from_q[(row + i / 8) * 64 + i % 8 * 8];
        *(uint4*)&k[i / 8][i % 8 * 8] = *(const uint4*)&from_k[(col + i / 8) * 64 + i % 8 * 8];
    }
    __syncthreads();
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[4];
    for (int j = 0; j < 4; ++j) wmma::fill_fragment(sums[j], 0.0f);
#pragma unroll
    for (int step = 0; step < 64; step += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::load_matrix_sync(a, &q[16 * warp][step], 72);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
            wmma::load_matrix_sync(b, &k[16 * j][step], 72);
            wmma::mma_sync(sums[j], a, b, sums[j]);
        }
    }
    float* out = scores + blockIdx.z * 512 * 512;
    for (int j = 0; j < 4; ++j)
        wmma::store_matrix_sync(out + (row + 16 * warp) * 512 + col + 16 * j, sums[j], 512, wmma::mem_row_major);
}

// launch mma_in_registers: --kernel mma_in_registers --grid 264 --block 256 --arg f32[67584] --arg i32:256
// Nothing but products: what the tensor cores give at best through mma.sync.
__global__ void mma_in_registers(float* out, int trips) {
    unsigned a[4] = {threadIdx.x, 1, 2, 3}, b[2] = {4, threadIdx.x};
    float sums[8][4] = {};
    for (int trip = 0; trip < trips; ++trip)
#pragma unroll
        for (int i = 0; i < 8; ++i) mma_16816(sums[i], a, b);
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
