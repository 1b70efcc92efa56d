// Products without tensor cores: of pairs of halves, of distances, of weights by four vectors, and of complex doubles.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// launch half_pairs_product: --kernel half_pairs_product --grid 12,12 --block 16,16 --arg f16[589824]=-1..1 --arg f16[589824]=-1..1 --arg f16[589824] --arg i32:768
// A product of halves, two columns an instruction: a tile of 64 x 64 a block, 4 x 4 a thread, sixteen along K.
__global__ void __launch_bounds__(256) half_pairs_product(const half* __restrict__ A, const half* __restrict__ B,
                                                          half* __restrict__ C, int n) {
    __shared__ __align__(16) half a[16][72];
    __shared__ __align__(16) half2 b[16][32];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, row = blockIdx.y * 64, col = blockIdx.x * 64;
    half2 sums[4][2];
#pragma unroll
    for (int i = 0; i < 4; ++i) sums[i][0] = sums[i][1] = __float2half2_rn(0.0f);
    for (int k = 0; k < n; k += 16) {
        uint2 four = *(const uint2*)&A[(row + t / 4) * n + k + t % 4 * 4];
        half2 low = *(half2*)&four.x, high = *(half2*)&four.y;
        a[t % 4 * 4][t / 4] = __low2half(low);
        a[t % 4 * 4 + 1][t / 4] = __high2half(low);
        a[t % 4 * 4 + 2][t / 4] = __low2half(high);
        a[t % 4 * 4 + 3][t / 4] = __high2half(high);
        *(uint2*)&b[ty][tx * 2] = *(const uint2*)&B[(k + ty) * n + col + tx * 4];
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 16; ++step) {
            half2 a01 = *(const half2*)&a[step][ty * 4], a23 = *(const half2*)&a[step][ty * 4 + 2];
            half2 b01 = b[step][tx * 2], b23 = b[step][tx * 2 + 1];
            half2 each[4] = {__low2half2(a01), __high2half2(a01), __low2half2(a23), __high2half2(a23)};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                sums[i][0] = __hfma2(each[i], b01, sums[i][0]);
                sums[i][1] = __hfma2(each[i], b23, sums[i][1]);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        half2* to = (half2*)&C[(row + ty * 4 + i) * n + col + tx * 4];
        to[0] = sums[i][0];
        to[1] = sums[i][1];
    }
}

// launch query_distances: --kernel query_distances --grid 64,16 --block 256 --arg f32[65536]=-1..1 --arg f32[524288]=-1..1 --arg f32[8388608] --arg i32:64 --arg i32:8192
// The squared distance of each of 1,024 queries from each of 8,192 references in 64 dimensions.
// A tile of 64 x 128 a block, 4 x 8 a thread, eight dimensions at a time through shared memory.
__global__ void __launch_bounds__(256) query_distances(const float* __restrict__ queries,
                                                       const float* __restrict__ references,
                                                       float* __restrict__ out, int dimensions, int count) {
    __shared__ __align__(16) float q[8][68], r[8][132];
    int t = threadIdx.x, tx = t % 16, ty = t / 16, row = blockIdx.y * 64, col = blockIdx.x * 128;
    float sums[4][8] = {};
    for (int d = 0; d < dimensions; d += 8) {
        if (t < 128) {
            float4 v = *(const float4*)&queries[(row + t / 2) * dimensions + d + t % 2 * 4];
            int at = t % 2 * 4;
            q[at][t / 2] = v.x, q[at + 1][t / 2] = v.y, q[at + 2][t / 2] = v.z, q[at + 3][t / 2] = v.w;
        }
        float4 v = *(const float4*)&references[(col + t / 2) * dimensions + d + t % 2 * 4];
        int at = t % 2 * 4;
        r[at][t / 2] = v.x, r[at + 1][t / 2] = v.y, r[at + 2][t / 2] = v.z, r[at + 3][t / 2] = v.w;
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 8; ++step) {
            float4 a = *(const float4*)&q[step][ty * 4];
            float4 low = *(const float4*)&r[step][tx * 4], high = *(const float4*)&r[step][tx * 4 + 64];
            float mine[4] = {a.x, a.y, a.z, a.w};
            float other[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    float apart = mine[i] - other[j];
                    sums[i][j] += apart * apart;
                }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        float* to = out + (row + ty * 4 + i) * count + col + tx * 4;
        *(float4*)to = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        *(float4*)(to + 64) = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
    }
}

// launch weights_by_four: --kernel weights_by_four --grid 1024 --block 256 --arg bf16[33554432]=-1..1 --arg bf16[16384]=-1..1 --arg f32[32768] --arg i32:8192
// Decoding for four users at once: a matrix in bf16 of 8,192 x 4,096 by four vectors, which wait in shared memory.
// A warp has a row, and reads eight weights a lane at a time.
__global__ void __launch_bounds__(256) weights_by_four(const __nv_bfloat16* __restrict__ weights,
                                                       const __nv_bfloat16* __restrict__ vectors,
                                                       float* __restrict__ out, int rows) {
    __shared__ uint4 held[4][512];
    int t = threadIdx.x, lane = t % 32, row = blockIdx.x * 8 + t / 32;
    for (int i = t; i < 2048; i += 256) held[i / 512][i % 512] = ((const uint4*)vectors)[i];
    __syncthreads();
    float sums[4] = {};
#pragma unroll 2
    for (int i = lane; i < 512; i += 32) {
        uint4 w = ((const uint4*)weights)[(size_t)row * 512 + i];
        const __nv_bfloat162* of_w = (const __nv_bfloat162*)&w;
        float2 f[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) f[k] = __bfloat1622float2(of_w[k]);
#pragma unroll
        for (int user = 0; user < 4; ++user) {
            uint4 v = held[user][i];
            const __nv_bfloat162* of_v = (const __nv_bfloat162*)&v;
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                float2 g = __bfloat1622float2(of_v[k]);
                sums[user] += f[k].x * g.x + f[k].y * g.y;
            }
        }
    }
#pragma unroll
    for (int user = 0; user < 4; ++user) {
        for (int step = 16; step > 0; step /= 2) sums[user] += __shfl_xor_sync(~0u, sums[user], step);
        if (lane == user) out[user * rows + row] = sums[user];
    }
}

// launch complex_double_product: --kernel complex_double_product --grid 24,24 --block 16,16 --arg f64[294912]=-1..1 --arg f64[294912]=-1..1 --arg f64[294912] --arg i32:384
// Two complex matrices of 384 x 384 in doubles: the plain tile of 16 x 16, one result a thread.
__global__ void complex_double_product(const double2* A, const double2* B, double2* C, int n) {
    __shared__ double2 a[16][16], b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    double real = 0, imaginary = 0;
    for (int k = 0; k < n; k += 16) {
        a[ty][tx] = A[row * n + k + tx];
        b[ty][tx] = B[(k + ty) * n + col];
        __syncthreads();
        for (int step = 0; step < 16; ++step) {
            double2 x = a[ty][step], y = b[step][tx];
            real += x.x * y.x - x.y * y.y;
            imaginary += x.x * y.y + x.y * y.x;
        }
        __syncthreads();
    }
    C[row * n + col] = make_double2(real, imaginary);
}
