// Products on tensor cores: a convolution, experts that choose their rows, weights of eight bits, and a covariance.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// launch implicit_convolution: --kernel implicit_convolution --grid 392 --block 256 --arg f16[3211264]=-1..1 --arg f16[147456]=-0.1..0.1 --arg f32[3211264] --arg i32:28 --arg i32:128
// A layer of 3 x 3 filters as a product, 128 channels in and out, on 32 pictures of 28 x 28: 64 pixels a block, whose
// shifted rows are taken from the picture tap by tap, with zeros beyond its sides.
__global__ void __launch_bounds__(256) implicit_convolution(const half* __restrict__ in,
                                                            const half* __restrict__ weights, float* __restrict__ out,
                                                            int size, int channels) {
    __shared__ __align__(32) half a[64][40], b[32][136];
    int t = threadIdx.x, warp = t / 32, first = blockIdx.x * 64, down = warp / 4 * 32, along = warp % 4 * 32;
    int pixel = first + t / 4, x = pixel % size, y = pixel / size % size;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
    for (int tap = 0; tap < 9; ++tap) {
        int dy = tap / 3 - 1, dx = tap % 3 - 1;
        bool inside = x + dx >= 0 && x + dx < size && y + dy >= 0 && y + dy < size;
        const half* from = in + (pixel + dy * size + dx) * channels + t % 4 * 8;
        for (int c = 0; c < channels; c += 32) {
            uint4 vector = make_uint4(0, 0, 0, 0);
            if (inside) vector = *(const uint4*)(from + c);
            *(uint4*)&a[t / 4][t % 4 * 8] = vector;
#pragma unroll
            for (int i = t; i < 512; i += 256)
                *(uint4*)&b[i / 16][i % 16 * 8] = *(const uint4*)&weights[(tap * channels + c + i / 16) * 128 + i % 16 * 8];
            __syncthreads();
#pragma unroll
            for (int step = 0; step < 32; step += 16) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> of_a[2];
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> of_b[2];
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    wmma::load_matrix_sync(of_a[i], &a[down + 16 * i][step], 40);
                    wmma::load_matrix_sync(of_b[i], &b[step][along + 16 * i], 136);
                }
#pragma unroll
                for (int i = 0; i < 2; ++i)
#pragma unroll
                    for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], of_a[i], of_b[j], sums[i][j]);
            }
            __syncthreads();
        }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(out + (first + down + 16 * i) * 128 + along + 16 * j, sums[i][j], 128,
                                    wmma::mem_row_major);
}

__device__ void fetch(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
}
__device__ void four_matrices(unsigned (&r)[4], const void* at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"((unsigned)__cvta_generic_to_shared(at)));
}
__device__ void four_transposed(unsigned (&r)[4], const void* at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"((unsigned)__cvta_generic_to_shared(at)));
}

// launch expert_layers: --kernel expert_layers --grid 8,64 --block 128 --arg bf16[4194304]=-1..1 --arg u32[4096]=0..4095 --arg bf16[8388608]=-0.1..0.1 --arg f32[4096]=0..1 --arg bf16[4194304] --arg i32:1024 --arg i32:1024 --arg i32:8
// A layer of eight experts in bf16: each expert's rows are gathered by a list, multiplied by its own weights, and scaled
// by how much the row trusts it. A tile of 64 x 128 in four warps, the next 32 along K on their way.
__global__ void __launch_bounds__(128) expert_layers(const __nv_bfloat16* __restrict__ rows,
                                                     const unsigned* __restrict__ order,
                                                     const __nv_bfloat16* __restrict__ weights,
                                                     const float* __restrict__ trust, __nv_bfloat16* __restrict__ out,
                                                     int n, int depth, int tiles) {
    __shared__ __align__(16) __nv_bfloat16 a[2][64][40], b[2][32][136];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * 64, col = blockIdx.x * 128;
    int down = warp / 2 * 32, along = warp % 2 * 64;
    const __nv_bfloat16* upper = rows + (size_t)order[row + t / 4] * depth + t % 4 * 8;
    const __nv_bfloat16* lower = rows + (size_t)order[row + 32 + t / 4] * depth + t % 4 * 8;
    const __nv_bfloat16* mine = weights + (size_t)(blockIdx.y / tiles) * depth * n + col;
    auto bring = [&](int stage, int k) {
        fetch(&a[stage][t / 4][t % 4 * 8], upper + k);
        fetch(&a[stage][32 + t / 4][t % 4 * 8], lower + k);
#pragma unroll
        for (int i = t; i < 512; i += 128) fetch(&b[stage][i / 16][i % 16 * 8], mine + (k + i / 16) * n + i % 16 * 8);
        asm volatile("cp.async.commit_group;");
    };
    float sums[2][8][4] = {};
    bring(0, 0);
    int stage = 0;
    for (int k = 0; k < depth; k += 32, stage ^= 1) {
        asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        if (k + 32 < depth) bring(stage ^ 1, k + 32);
#pragma unroll
        for (int step = 0; step < 32; step += 16) {
            unsigned of_a[2][4];
#pragma unroll
            for (int i = 0; i < 2; ++i) four_matrices(of_a[i], &a[stage][down + 16 * i + lane % 16][step + lane / 16 * 8]);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                unsigned of_b[4];
                four_transposed(of_b, &b[stage][step + lane % 16][along + 16 * j + lane / 16 * 8]);
#pragma unroll
                for (int i = 0; i < 2; ++i)
#pragma unroll
                    for (int h = 0; h < 2; ++h) {
                        float(&d)[4] = sums[i][2 * j + h];
                        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                                     "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                                     : "r"(of_a[i][0]), "r"(of_a[i][1]), "r"(of_a[i][2]), "r"(of_a[i][3]),
                                       "r"(of_b[2 * h]), "r"(of_b[2 * h + 1]));
                    }
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            int y = row + down + 16 * i + 8 * r + lane / 4;
            float factor = trust[y];
#pragma unroll
            for (int j = 0; j < 8; ++j)
                *(__nv_bfloat162*)&out[y * n + col + along + 8 * j + lane % 4 * 2] =
                    __floats2bfloat162_rn(sums[i][j][2 * r] * factor, sums[i][j][2 * r + 1] * factor);
        }
}

// launch few_rows_of_bytes: --kernel few_rows_of_bytes --grid 256 --block 256 --arg u8[262144]=0..255 --arg u8[67108864]=0..255 --arg f32[32]=0..1 --arg f32[8192]=0..1 --arg f16[262144] --arg i32:8192
// Thirty-two rows by a large matrix of bytes, both stored in the small tiles that the tensor cores take: a warp has eight
// columns and half of the depth, straight from memory; the halves meet in shared memory, and scales make halves of them.
__global__ void few_rows_of_bytes(const signed char* __restrict__ rows, const signed char* __restrict__ weights,
                                  const float* __restrict__ row_scales, const float* __restrict__ scales,
                                  half* __restrict__ out, int depth) {
    __shared__ __align__(32) int held[8][32][8];
    int t = threadIdx.x, warp = t / 32, group = blockIdx.x * 4 + warp % 4, steps = depth / 16;
    int begin = warp / 4 * (steps / 2), end = begin + steps / 2;
    wmma::fragment<wmma::accumulator, 32, 8, 16, int> sums;
    wmma::fill_fragment(sums, 0);
#pragma unroll 4
    for (int k = begin; k < end; ++k) {
        wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::col_major> b;
        wmma::load_matrix_sync(a, rows + k * 512, 16);
        wmma::load_matrix_sync(b, weights + ((size_t)group * steps + k) * 128, 16);
        wmma::mma_sync(sums, a, b, sums);
    }
    wmma::store_matrix_sync(&held[warp][0][0], sums, 8, wmma::mem_row_major);
    __syncthreads();
    int columns = gridDim.x * 32, x = t % 32;
#pragma unroll
    for (int y = t / 32; y < 32; y += 8) {
        int sum = held[x / 8][y][x % 8] + held[4 + x / 8][y][x % 8], column = blockIdx.x * 32 + x;
        out[y * columns + column] = __float2half(sum * 1e-6f * row_scales[y] * scales[column]);
    }
}

// launch covariance_tf32: --kernel covariance_tf32 --grid 8,8,8 --block 128 --arg f32[8388608]=-1..1 --arg f32[2097152] --arg i32:512 --arg i32:2048
// The products of 512 columns with each other over 16,384 rows in tf32: a tile of 64 x 64 of an eighth of the rows a
// block; the first matrix is read turned from the same kind of tile.
__global__ void __launch_bounds__(128) covariance_tf32(const float* __restrict__ in, float* __restrict__ out, int cols,
                                                       int rows) {
    __shared__ __align__(32) float a[32][72], b[32][72];
    int t = threadIdx.x, warp = t / 32, row = blockIdx.y * 64, col = blockIdx.x * 64;
    int down = warp / 2 * 32, along = warp % 2 * 32;
    const float* from = in + (size_t)blockIdx.z * rows * cols;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sums[2][2];
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
    for (int k = 0; k < rows; k += 32) {
#pragma unroll
        for (int i = t; i < 512; i += 128) {
            const float* at = from + (k + i / 16) * cols + i % 16 * 4;
            *(float4*)&a[i / 16][i % 16 * 4] = *(const float4*)(at + row);
            *(float4*)&b[i / 16][i % 16 * 4] = *(const float4*)(at + col);
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 32; step += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::col_major> of_a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> of_b[2];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(of_a[i], &a[step][down + 16 * i], 72);
                wmma::load_matrix_sync(of_b[i], &b[step][along + 16 * i], 72);
#pragma unroll
                for (int e = 0; e < of_a[i].num_elements; ++e) of_a[i].x[e] = wmma::__float_to_tf32(of_a[i].x[e]);
#pragma unroll
                for (int e = 0; e < of_b[i].num_elements; ++e) of_b[i].x[e] = wmma::__float_to_tf32(of_b[i].x[e]);
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], of_a[i], of_b[j], sums[i][j]);
        }
        __syncthreads();
    }
    float* to = out + (size_t)blockIdx.z * cols * cols;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(to + (row + down + 16 * i) * cols + col + along + 16 * j, sums[i][j], cols,
                                    wmma::mem_row_major);
}
