// Products on tensor cores: of doubles, of a small network in one go, with weights of four bits, and over a long depth.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// launch double_tensor_tiles: --kernel double_tensor_tiles --grid 16,12 --block 256 --arg f64[393216]=-1..1 --arg f64[524288]=-1..1 --arg f64[786432] --arg i32:1024 --arg i32:512
// Doubles on tensor cores: a tile of 64 x 64 a block, sixteen along K at a time.
// Each of eight warps has 32 x 16 of it, in pieces of 8 x 8 x 4.
__global__ void __launch_bounds__(256) double_tensor_tiles(const double* __restrict__ A, const double* __restrict__ B,
                                                           double* __restrict__ C, int n, int depth) {
    __shared__ __align__(16) double a[64][20], b[16][68];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * 64, col = blockIdx.x * 64;
    int down = warp / 4 * 32, along = warp % 4 * 16, group = lane / 4, part = lane % 4;
    double sums[4][2][2] = {};
    for (int k = 0; k < depth; k += 16) {
#pragma unroll
        for (int i = t; i < 512; i += 256) {
            *(double2*)&a[i / 8][i % 8 * 2] = *(const double2*)&A[(row + i / 8) * depth + k + i % 8 * 2];
            *(double2*)&b[i / 32][i % 32 * 2] = *(const double2*)&B[(k + i / 32) * n + col + i % 32 * 2];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 16; step += 4) {
            double of_a[4], of_b[2];
#pragma unroll
            for (int i = 0; i < 4; ++i) of_a[i] = a[down + 8 * i + group][step + part];
#pragma unroll
            for (int j = 0; j < 2; ++j) of_b[j] = b[step + part][along + 8 * j + group];
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 2; ++j)
                    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                                 : "+d"(sums[i][j][0]), "+d"(sums[i][j][1])
                                 : "d"(of_a[i]), "d"(of_b[j]));
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j)
            *(double2*)&C[(row + down + 8 * i + group) * n + col + along + 8 * j + part * 2] =
                make_double2(sums[i][j][0], sums[i][j][1]);
}

// launch small_network: --kernel small_network --grid 1200 --block 256 --arg f16[9830400]=-1..1 --arg f16[20480]=-0.2..0.2 --arg f16[9830400] --arg i32:5
// A small network in one kernel, as neural fields have it: five layers of 64 x 64 halves, with nothing below nought.
// A block has 128 rows, which stay in shared memory; each warp has sixteen of them.
__global__ void __launch_bounds__(256) small_network(const half* __restrict__ in, const half* __restrict__ weights,
                                                     half* __restrict__ out, int layers) {
    __shared__ __align__(32) half rows[128][72], w[64][72];
    int t = threadIdx.x, warp = t / 32;
    size_t first = (size_t)blockIdx.x * 128 * 64;
#pragma unroll
    for (int i = t; i < 1024; i += 256) *(uint4*)&rows[i / 8][i % 8 * 8] = *(const uint4*)&in[first + i * 8];
    for (int layer = 0; layer < layers; ++layer) {
        __syncthreads();
#pragma unroll
        for (int i = t; i < 512; i += 256)
            *(uint4*)&w[i / 8][i % 8 * 8] = *(const uint4*)&weights[layer * 4096 + i * 8];
        __syncthreads();
        wmma::fragment<wmma::accumulator, 16, 16, 16, half> sums[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) wmma::fill_fragment(sums[j], __float2half(0.0f));
#pragma unroll
        for (int k = 0; k < 64; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
            wmma::load_matrix_sync(a, &rows[warp * 16][k], 72);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
                wmma::load_matrix_sync(b, &w[k][16 * j], 72);
                wmma::mma_sync(sums[j], a, b, sums[j]);
            }
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            if (layer + 1 < layers)
#pragma unroll
                for (int e = 0; e < sums[j].num_elements; ++e)
                    sums[j].x[e] = __hmax(sums[j].x[e], __float2half(0.0f));
            wmma::store_matrix_sync(&rows[warp * 16][16 * j], sums[j], 72, wmma::mem_row_major);
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = t; i < 1024; i += 256) *(uint4*)&out[first + i * 8] = *(const uint4*)&rows[i / 8][i % 8 * 8];
}

__device__ void bring_vector(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
}
__device__ void matrices(unsigned (&r)[4], const void* at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"((unsigned)__cvta_generic_to_shared(at)));
}
__device__ void matrices_turned(unsigned (&r)[4], const void* at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"((unsigned)__cvta_generic_to_shared(at)));
}

// launch four_bit_layer: --kernel four_bit_layer --grid 64,4 --block 128 --arg f16[262144]=-1..1 --arg u8[16777216]=0..255 --arg f16[262144]=0..0.1 --arg f32[2097152] --arg i32:4096 --arg i32:8192
// A layer whose weights have four bits: 64 rows by 4,096 x 8,192, a quarter of the depth a block.
// Weights lie in the order in which the lanes take them, and become halves in registers.
// A scale for 128 weights of a column.
__global__ void __launch_bounds__(128) four_bit_layer(const half* __restrict__ rows,
                                                      const unsigned* __restrict__ weights,
                                                      const half* __restrict__ scales, float* __restrict__ out,
                                                      int depth, int n) {
    __shared__ __align__(16) half a[2][64][40];
    int t = threadIdx.x, lane = t % 32, col = blockIdx.x * 128 + t / 32 * 32;
    int slice = depth / gridDim.y, begin = blockIdx.y * slice, end = begin + slice;
    auto bring = [&](int stage, int k) {
#pragma unroll
        for (int i = t; i < 256; i += 128)
            bring_vector(&a[stage][i / 4][i % 4 * 8], &rows[i / 4 * depth + k + i % 4 * 8]);
        asm volatile("cp.async.commit_group;");
    };
    float sums[4][4][4] = {};
    half2 scale[4], bias = __float2half2_rn(1032.0f);
    bring(0, begin);
    int stage = 0;
    for (int k = begin; k < end; k += 32, stage ^= 1) {
        unsigned words[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) words[j] = weights[(k / 32 * (n / 8) + col / 8 + j) * 32 + lane];
        if (k % 128 == 0)
#pragma unroll
            for (int j = 0; j < 4; ++j) scale[j] = __half2half2(scales[k / 128 * n + col + 8 * j + lane / 4]);
        asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        if (k + 32 < end) bring(stage ^ 1, k + 32);
        unsigned of_a[2][4][4];
#pragma unroll
        for (int step = 0; step < 2; ++step)
#pragma unroll
            for (int i = 0; i < 4; ++i)
                matrices(of_a[step][i], &a[stage][16 * i + lane % 16][step * 16 + lane / 16 * 8]);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            unsigned b[4];
#pragma unroll
            for (int h = 0; h < 4; ++h) {
                unsigned bits = (words[j] >> 4 * h & 0x000f000fu) | 0x64006400u;
                half2 pair = __hmul2(__hsub2(*(half2*)&bits, bias), scale[j]);
                b[h] = *(unsigned*)&pair;
            }
#pragma unroll
            for (int step = 0; step < 2; ++step)
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    float(&d)[4] = sums[i][j];
                    const unsigned(&x)[4] = of_a[step][i];
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(b[2 * step]), "r"(b[2 * step + 1]));
                }
        }
    }
    float* to = out + (size_t)blockIdx.y * 64 * n;
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int r = 0; r < 2; ++r)
                *(float2*)&to[(16 * i + lane / 4 + 8 * r) * n + col + 8 * j + lane % 4 * 2] =
                    make_float2(sums[i][j][2 * r], sums[i][j][2 * r + 1]);
}

// launch weight_gradients: --kernel weight_gradients --grid 8,8,12 --block 128 --arg bf16[6291456]=-1..1 --arg bf16[6291456]=-1..1 --arg f32[262144]=0 --arg i32:512 --arg i32:1024
// Gradients of a layer's weights in bf16: 512 x 512 results over 12,288 rows, a twelfth of the rows a block.
// Both matrices are read turned by ldmatrix, four stages on their way; blocks add their tiles by atomics.
__global__ void __launch_bounds__(128) weight_gradients(const __nv_bfloat16* __restrict__ inputs,
                                                        const __nv_bfloat16* __restrict__ gradients, float* weights,
                                                        int n, int slice) {
    __shared__ __align__(16) __nv_bfloat16 a[4][32][72], b[4][32][72];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, row = blockIdx.y * 64, col = blockIdx.x * 64;
    int down = warp / 2 * 32, along = warp % 2 * 32, begin = blockIdx.z * slice;
    auto bring = [&](int stage, int k) {
#pragma unroll
        for (int i = t; i < 256; i += 128) {
            bring_vector(&a[stage][i / 8][i % 8 * 8], &inputs[(begin + k + i / 8) * n + row + i % 8 * 8]);
            bring_vector(&b[stage][i / 8][i % 8 * 8], &gradients[(begin + k + i / 8) * n + col + i % 8 * 8]);
        }
    };
#pragma unroll
    for (int stage = 0; stage < 3; ++stage) {
        bring(stage, stage * 32);
        asm volatile("cp.async.commit_group;");
    }
    float sums[2][4][4] = {};
    for (int k = 0; k < slice; k += 32) {
        int stage = k / 32 & 3;
        asm volatile("cp.async.wait_group 2;");
        __syncthreads();
        if (k + 96 < slice) bring((stage + 3) & 3, k + 96);
        asm volatile("cp.async.commit_group;");
#pragma unroll
        for (int step = 0; step < 32; step += 16) {
            unsigned of_a[2][4], of_b[2][4];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                matrices_turned(of_a[i], &a[stage][step + lane / 16 * 8 + lane % 8][down + 16 * i + lane / 8 % 2 * 8]);
                matrices_turned(of_b[i], &b[stage][step + lane % 16][along + 16 * i + lane / 16 * 8]);
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    float(&d)[4] = sums[i][j];
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                                 : "r"(of_a[i][0]), "r"(of_a[i][1]), "r"(of_a[i][2]), "r"(of_a[i][3]),
                                   "r"(of_b[j / 2][j % 2 * 2]), "r"(of_b[j / 2][j % 2 * 2 + 1]));
                }
        }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                atomicAdd(&weights[(row + down + 16 * i + lane / 4 + r / 2 * 8) * n + col + along + 8 * j +
                                   lane % 4 * 2 + r % 2],
                          sums[i][j][r]);
}
