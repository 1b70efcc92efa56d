// Products on tensor cores: patches of pictures, a layer of bytes, many small products, and pairs of features.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// launch patch_embeddings: --kernel patch_embeddings --grid 12,98 --block 128 --arg f16[4816896]=-1..1 --arg f16[589824]=-0.1..0.1 --arg f32[4816896] --arg i32:768 --arg i32:768
// Vision transformers: 196 patches of each of 32 pictures, 768 numbers each, by a matrix of 768 x 768.
// A tile of 64 x 64 in four warps by fragments of 32 x 8, 32 along K through shared memory.
__global__ void __launch_bounds__(128) patch_embeddings(const half* __restrict__ patches, const half* __restrict__ weights,
                                                        float* __restrict__ out, int n, int depth) {
    __shared__ __align__(32) half a[64][48], b[64][48];
    int t = threadIdx.x, warp = t / 32, row = blockIdx.y * 64, col = blockIdx.x * 64, down = warp / 2 * 32, along = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 32, 8, 16, float> sums[4];
    for (int j = 0; j < 4; ++j) wmma::fill_fragment(sums[j], 0.0f);
    for (int k = 0; k < depth; k += 32) {
        __syncthreads();
#pragma unroll
        for (int i = t; i < 256; i += 128) {
            int r = i / 4, c = i % 4 * 8;
            *(uint4*)&a[r][c] = *(const uint4*)&patches[(size_t)(row + r) * depth + k + c];
            *(uint4*)&b[r][c] = *(const uint4*)&weights[(size_t)(col + r) * depth + k + c];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 32; step += 16) {
            wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::row_major> left;
            wmma::load_matrix_sync(left, &a[down][step], 48);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::col_major> right;
                wmma::load_matrix_sync(right, &b[along + 8 * j][step], 48);
                wmma::mma_sync(sums[j], left, right, sums[j]);
            }
        }
    }
    for (int j = 0; j < 4; ++j)
        wmma::store_matrix_sync(&out[(size_t)(row + down) * n + col + along + 8 * j], sums[j], n, wmma::mem_row_major);
}

// launch layer_to_bytes: --kernel layer_to_bytes --grid 16,32 --block 256 --arg u8[4194304]=0..255 --arg u8[1048576]=0..255 --arg f32[1024]=0.0001..0.001 --arg u8[4194304] --arg i32:1024 --arg i32:1024
// A layer of a network in bytes with sign, whose results are scaled column by column and become bytes again.
// A tile of 128 x 64 in eight warps; slabs of sixteen along K lie one after another in shared memory.
__global__ void __launch_bounds__(256) layer_to_bytes(const signed char* __restrict__ A, const signed char* __restrict__ W,
                                                      const float* __restrict__ scales, signed char* __restrict__ out, int n,
                                                      int depth) {
    __shared__ __align__(128) signed char a[4][128][16], b[4][64][16];
    __shared__ __align__(128) int corner[8][256];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * 128, col = blockIdx.x * 64;
    int down = warp / 2 * 32, along = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums[2][2];
    for (int i = 0; i < 4; ++i) wmma::fill_fragment(sums[i / 2][i % 2], 0);
    for (int k = 0; k < depth; k += 64) {
        __syncthreads();
#pragma unroll
        for (int i = t; i < 512; i += 256)
            *(int4*)a[i % 4][i / 4] = *(const int4*)&A[(size_t)(row + i / 4) * depth + k + i % 4 * 16];
        *(int4*)b[t % 4][t / 4] = *(const int4*)&W[(size_t)(col + t / 4) * depth + k + t % 4 * 16];
        __syncthreads();
#pragma unroll
        for (int slab = 0; slab < 4; ++slab) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(left[i], a[slab][down + 16 * i], 16);
                wmma::load_matrix_sync(right[i], b[slab][along + 16 * i], 16);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) wmma::mma_sync(sums[i / 2][i % 2], left[i / 2], right[i % 2], sums[i / 2][i % 2]);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        wmma::store_matrix_sync(corner[warp], sums[i / 2][i % 2], 16, wmma::mem_row_major);
        __syncwarp();
        for (int k = lane; k < 64; k += 32) {
            int r = k / 4, c = k % 4 * 4, left = col + along + i % 2 * 16 + c;
            int4 v = *(const int4*)&corner[warp][r * 16 + c];
            int vs[4] = {v.x, v.y, v.z, v.w};
            unsigned word = 0;
            for (int j = 0; j < 4; ++j) {
                int q = min(max(__float2int_rn(vs[j] * scales[left + j]), -128), 127);
                word |= (unsigned)(q & 255) << (8 * j);
            }
            *(unsigned*)&out[(size_t)(row + down + i / 2 * 16 + r) * n + left] = word;
        }
        __syncwarp();
    }
}

// launch many_half_blocks: --kernel many_half_blocks --grid 2400 --block 128 --arg f16[9830400]=-0.5..0.5 --arg f16[9830400]=-0.5..0.5 --arg f16[9830400]=-1..1
// Finite elements of high order: 2,400 products of 64 x 64 halves, the first matrix turned, added to what is there.
// Sums are halves as well; each warp has sixteen rows and reads its fragments straight from memory.
__global__ void __launch_bounds__(128) many_half_blocks(const half* __restrict__ A, const half* __restrict__ B, half* C) {
    size_t base = (size_t)blockIdx.x * 4096;
    int row = threadIdx.x / 32 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> sums[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) wmma::load_matrix_sync(sums[j], C + base + row * 64 + 16 * j, 64, wmma::mem_row_major);
#pragma unroll
    for (int k = 0; k < 64; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> left;
        wmma::load_matrix_sync(left, A + base + k * 64 + row, 64);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
            wmma::load_matrix_sync(right, B + base + k * 64 + 16 * j, 64);
            wmma::mma_sync(sums[j], left, right, sums[j]);
        }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) wmma::store_matrix_sync(C + base + row * 64 + 16 * j, sums[j], 64, wmma::mem_row_major);
}

// launch feature_pairs: --kernel feature_pairs --grid 2048 --block 128 --arg f16[33554432]=-0.3..0.3 --arg f16[4194304]
// Recommendations: the products of all pairs of 32 features of a sample, each of 128 halves; only the lower half is kept.
// A warp has a sample; what it loads for the left side is the right side as well.
__global__ void __launch_bounds__(128) feature_pairs(const half* __restrict__ features, half* __restrict__ pairs) {
    int lane = threadIdx.x % 32, group = lane / 4, part = lane % 4, sample = blockIdx.x * 4 + threadIdx.x / 32;
    const unsigned* from = (const unsigned*)(features + (size_t)sample * 4096) + group * 64 + part;
    float sums[2][4][4] = {};
#pragma unroll 4
    for (int k = 0; k < 64; k += 8) {
        unsigned x[4][2];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            x[i][0] = from[i * 512 + k];
            x[i][1] = from[i * 512 + k + 4];
        }
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                if (j < 2 * i + 2)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                                 "{%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
                                 : "r"(x[2 * i][0]), "r"(x[2 * i + 1][0]), "r"(x[2 * i][1]), "r"(x[2 * i + 1][1]),
                                   "r"(x[j][0]), "r"(x[j][1]));
    }
    half* to = pairs + (size_t)sample * 512;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                int r = 16 * i + group + e / 2 * 8, c = 8 * j + part * 2 + e % 2;
                if (c < r) to[r * (r - 1) / 2 + c] = __float2half(sums[i][j][e]);
            }
}
