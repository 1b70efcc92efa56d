// Products on tensor cores: a ring of tiles in bfloat16, descriptors of bytes, an adapter of low rank, and a few rows.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// launch ring_of_tiles: --kernel ring_of_tiles --grid 30,14 --block 128 --arg bf16[1605632]=-1..1 --arg bf16[1720320]=-1..1 --arg f32[3440640] --arg i32:1920 --arg i32:896
// A linear layer in bfloat16: tiles of 128 x 64, 32 along K, three on their way at once.
// Four warps have 64 x 32 each; chunks of sixteen bytes are swapped about against bank conflicts.
__global__ void __launch_bounds__(128) ring_of_tiles(const __nv_bfloat16* __restrict__ A, const __nv_bfloat16* __restrict__ W,
                                                     float* __restrict__ C, int n, int depth) {
    __shared__ __align__(128) unsigned char held[3][192 * 64];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * 128, col = blockIdx.x * 64;
    int down = warp / 2 * 64, along = warp % 2 * 32;
    unsigned base = (unsigned)__cvta_generic_to_shared(&held[0][0]);
    float sums[4][4][4] = {};
    auto bring = [&](int stage, int k) {
#pragma unroll
        for (int i = 0; i < 6; ++i) {
            int line = i * 32 + t / 4, chunk = t % 4;
            const __nv_bfloat16* from = i < 4 ? A + (size_t)(row + line) * depth + k + chunk * 8
                                              : W + (size_t)(col + line - 128) * depth + k + chunk * 8;
            unsigned to = base + stage * 12288 + line * 64 + ((chunk ^ (line >> 1 & 3)) << 4);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
        }
    };
    bring(0, 0);
    asm volatile("cp.async.commit_group;");
    bring(1, 32);
    asm volatile("cp.async.commit_group;");
    int stage = 0, ahead = 2;
    for (int k = 0; k < depth; k += 32) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        if (k + 64 < depth) bring(ahead, k + 64);
        asm volatile("cp.async.commit_group;");
        unsigned here = base + stage * 12288;
#pragma unroll
        for (int step = 0; step < 2; ++step) {
            unsigned a[4][4], b[2][4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                int line = down + 16 * i + lane % 16, chunk = step * 2 + lane / 16;
                unsigned at = here + line * 64 + ((chunk ^ (line >> 1 & 3)) << 4);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                             : "r"(at));
            }
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                int line = 128 + along + 16 * j + lane / 16 * 8 + lane % 8, chunk = step * 2 + lane / 8 % 2;
                unsigned at = here + line * 64 + ((chunk ^ (line >> 1 & 3)) << 4);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j][2]), "=r"(b[j][3])
                             : "r"(at));
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                                 "{%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
                                 : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j / 2][j % 2 * 2]),
                                   "r"(b[j / 2][j % 2 * 2 + 1]));
        }
        stage = stage == 2 ? 0 : stage + 1;
        ahead = ahead == 2 ? 0 : ahead + 1;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float* to = C + (size_t)(row + down + 16 * i + lane / 4) * n + col + along + 8 * j + lane % 4 * 2;
            *(float2*)to = make_float2(sums[i][j][0], sums[i][j][1]);
            *(float2*)(to + 8 * n) = make_float2(sums[i][j][2], sums[i][j][3]);
        }
}

// launch descriptor_products: --kernel descriptor_products --grid 60,30 --block 128 --arg u8[491520]=0..255 --arg u8[491520]=0..255 --arg i32[14745600] --arg i32:3840
// Matching of pictures: products of all pairs of descriptors, each of 128 bytes without sign.
// Tiles of 128 x 64 a block, straight from memory; a warp has 32 rows.
__global__ void __launch_bounds__(128) descriptor_products(const unsigned* __restrict__ left, const unsigned* __restrict__ right,
                                                           int* __restrict__ products, int n) {
    int t = threadIdx.x, lane = t % 32, group = lane / 4, part = lane % 4;
    int row = blockIdx.y * 128 + t / 32 * 32, col = blockIdx.x * 64;
    int sums[2][8][4] = {};
    for (int k = 0; k < 32; k += 8) {
        unsigned a[2][4], b[8][2];
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const unsigned* from = left + (row + 16 * i + group) * 32 + k + part;
            a[i][0] = from[0], a[i][1] = from[8 * 32], a[i][2] = from[4], a[i][3] = from[8 * 32 + 4];
        }
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const unsigned* from = right + (col + 8 * j + group) * 32 + k + part;
            b[j][0] = from[0], b[j][1] = from[4];
        }
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < 8; ++j)
                asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                             "{%8,%9}, {%0,%1,%2,%3};"
                             : "+r"(sums[i][j][0]), "+r"(sums[i][j][1]), "+r"(sums[i][j][2]), "+r"(sums[i][j][3])
                             : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j][0]), "r"(b[j][1]));
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            int* to = products + (size_t)(row + 16 * i + group) * n + col + 8 * j + part * 2;
            *(int2*)to = make_int2(sums[i][j][0], sums[i][j][1]);
            *(int2*)(to + 8 * n) = make_int2(sums[i][j][2], sums[i][j][3]);
        }
}

// launch low_rank_adapter: --kernel low_rank_adapter --grid 128 --block 128 --arg f16[8388608]=-1..1 --arg f16[16384]=-0.1..0.1 --arg f16[16384]=-0.1..0.1 --arg f32[8388608] --arg i32:1024
// Fine tuning: rows of 1,024 halves go down to sixteen numbers and up to 1,024 again.
// A warp has sixteen rows, and keeps what lies between in shared memory.
__global__ void low_rank_adapter(const half* __restrict__ X, const half* __restrict__ down, const half* __restrict__ up,
                                 float* __restrict__ out, int n) {
    __shared__ __align__(32) float wide[4][256];
    __shared__ __align__(32) half narrow[4][256];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    size_t row = ((size_t)blockIdx.x * 4 + warp) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);
#pragma unroll 4
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(a, X + row * n + k, n);
        wmma::load_matrix_sync(b, down + k * 16, 16);
        wmma::mma_sync(sums, a, b, sums);
    }
    wmma::store_matrix_sync(wide[warp], sums, 16, wmma::mem_row_major);
    __syncwarp();
#pragma unroll
    for (int i = lane; i < 256; i += 32) narrow[warp][i] = __float2half(wide[warp][i]);
    __syncwarp();
    wmma::load_matrix_sync(a, narrow[warp], 16);
#pragma unroll 4
    for (int col = 0; col < n; col += 16) {
        wmma::load_matrix_sync(b, up + col, n);
        wmma::fill_fragment(sums, 0.0f);
        wmma::mma_sync(sums, a, b, sums);
        wmma::store_matrix_sync(out + row * n + col, sums, n, wmma::mem_row_major);
    }
}

// launch eight_tokens: --kernel eight_tokens --grid 224 --block 256 --arg f16[32768]=-1..1 --arg f16[29360128]=-0.1..0.1 --arg f32[57344] --arg i32:4096 --arg i32:7168
// A layer for only eight tokens: each block has 32 columns, and its eight warps share the 4,096 steps along K.
// Their sums meet in shared memory.
__global__ void eight_tokens(const half* __restrict__ tokens, const half* __restrict__ weights, float* __restrict__ out,
                             int depth, int n) {
    __shared__ __align__(32) float held[8][256];
    int t = threadIdx.x, warp = t / 32, col = blockIdx.x * 32, share = depth / 8;
    wmma::fragment<wmma::matrix_a, 8, 32, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 8, 32, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 8, 32, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);
#pragma unroll 4
    for (int k = warp * share; k < warp * share + share; k += 16) {
        wmma::load_matrix_sync(a, tokens + k, depth);
        wmma::load_matrix_sync(b, weights + (size_t)col * depth + k, depth);
        wmma::mma_sync(sums, a, b, sums);
    }
    wmma::store_matrix_sync(held[warp], sums, 32, wmma::mem_row_major);
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) sum += held[w][t];
    out[t / 32 * n + col + t % 32] = sum;
}
