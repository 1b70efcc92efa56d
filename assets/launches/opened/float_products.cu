// Products without tensor cores: tiles that are loaded ahead, attention, and matrices by vectors.
#include <cuda_fp16.h>

// launch sgemm_double_buffered: --kernel sgemm_double_buffered --grid 32,16 --block 128 --arg f32[2097152]=-1..1 --arg f32[2097152]=-1..1 --arg f32[4194304] --arg i32:2048 --arg i32:1024
// A tile of 128 x 64, 8 x 8 a thread; the next tile is in registers while this one is multiplied.
__global__ void __launch_bounds__(128) sgemm_double_buffered(const float* __restrict__ A, const float* __restrict__ B,
                                                             float* __restrict__ C, int n, int depth) {
    __shared__ __align__(16) float a[2][16][132];
    __shared__ __align__(16) float b[2][16][64];
    int t = threadIdx.x, row = blockIdx.y * 128, col = blockIdx.x * 64, tx = t % 8, ty = t / 8;
    float4 next_a[4], next_b[2];
    auto load = [&](int k) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            next_a[i] = *(const float4*)&A[(row + (t + 128 * i) / 4) * depth + k + t % 4 * 4];
#pragma unroll
        for (int i = 0; i < 2; ++i) next_b[i] = *(const float4*)&B[(k + (t + 128 * i) / 16) * n + col + t % 16 * 4];
    };
    auto store = [&](int stage) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            int r = (t + 128 * i) / 4, k = t % 4 * 4;
            a[stage][k][r] = next_a[i].x;
            a[stage][k + 1][r] = next_a[i].y;
            a[stage][k + 2][r] = next_a[i].z;
            a[stage][k + 3][r] = next_a[i].w;
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) *(float4*)&b[stage][(t + 128 * i) / 16][t % 16 * 4] = next_b[i];
    };
    float sums[8][8] = {};
    load(0);
    store(0);
    __syncthreads();
    int stage = 0;
    for (int k = 0; k < depth; k += 16) {
        if (k + 16 < depth) load(k + 16);
#pragma unroll
        for (int step = 0; step < 16; ++step) {
            float from_a[8], from_b[8];
            *(float4*)&from_a[0] = *(const float4*)&a[stage][step][ty * 8];
            *(float4*)&from_a[4] = *(const float4*)&a[stage][step][ty * 8 + 4];
            *(float4*)&from_b[0] = *(const float4*)&b[stage][step][tx * 4];
            *(float4*)&from_b[4] = *(const float4*)&b[stage][step][tx * 4 + 32];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sums[i][j] += from_a[i] * from_b[j];
        }
        if (k + 16 < depth) store(stage ^ 1);
        __syncthreads();
        stage ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        float* to = &C[(row + ty * 8 + i) * n + col + tx * 4];
        *(float4*)to = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        *(float4*)(to + 32) = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
    }
}

// launch attention_rows: --kernel attention_rows --grid 8,64 --block 64 --arg f32[2097152]=-1..1 --arg f32[2097152]=-1..1 --arg f32[2097152]=-1..1 --arg f32[2097152] --arg i32:512
// Causal attention with an online softmax: a query a thread, 64 wide, keys and values sixteen at a time.
__global__ void __launch_bounds__(64) attention_rows(const float* __restrict__ Q, const float* __restrict__ K,
                                                     const float* __restrict__ V, float* __restrict__ O, int length) {
    __shared__ float4 k[16][16], v[16][16];
    int t = threadIdx.x, row = blockIdx.x * 64 + t, head = blockIdx.y * length * 64;
    float4 q[16], out[16];
#pragma unroll
    for (int d = 0; d < 16; ++d) {
        q[d] = ((const float4*)(Q + head + row * 64))[d];
        out[d] = make_float4(0, 0, 0, 0);
    }
    float most = -1e30f, total = 0;
    for (int key = 0; key < blockIdx.x * 64 + 64; key += 16) {
        __syncthreads();
        for (int i = t; i < 256; i += 64) {
            k[i / 16][i % 16] = ((const float4*)(K + head + key * 64))[i];
            v[i / 16][i % 16] = ((const float4*)(V + head + key * 64))[i];
        }
        __syncthreads();
        float scores[16], largest = most;
#pragma unroll
        for (int j = 0; j < 16; ++j) {
            float sum = 0;
#pragma unroll
            for (int d = 0; d < 16; ++d)
                sum += q[d].x * k[j][d].x + q[d].y * k[j][d].y + q[d].z * k[j][d].z + q[d].w * k[j][d].w;
            scores[j] = key + j <= row ? sum * 0.125f : -1e30f;
            largest = fmaxf(largest, scores[j]);
        }
        float shrink = __expf(most - largest);
        most = largest;
        total *= shrink;
#pragma unroll
        for (int d = 0; d < 16; ++d) {
            out[d].x *= shrink;
            out[d].y *= shrink;
            out[d].z *= shrink;
            out[d].w *= shrink;
        }
#pragma unroll
        for (int j = 0; j < 16; ++j) {
            float weight = __expf(scores[j] - most);
            total += weight;
#pragma unroll
            for (int d = 0; d < 16; ++d) {
                out[d].x += weight * v[j][d].x;
                out[d].y += weight * v[j][d].y;
                out[d].z += weight * v[j][d].z;
                out[d].w += weight * v[j][d].w;
            }
        }
    }
    float factor = 1 / total;
#pragma unroll
    for (int d = 0; d < 16; ++d)
        ((float4*)(O + head + row * 64))[d] =
            make_float4(out[d].x * factor, out[d].y * factor, out[d].z * factor, out[d].w * factor);
}

// launch transposed_by_vector: --kernel transposed_by_vector --grid 128,16 --block 32,8 --arg f64[16777216]=-1..1 --arg f64[4096]=-1..1 --arg f64[65536] --arg i32:4096
// The transposed matrix by a vector in doubles: a block has 32 columns of a slice of the rows.
__global__ void transposed_by_vector(const double* __restrict__ A, const double* __restrict__ x, double* partial,
                                     int n) {
    __shared__ double held[8][32];
    int col = blockIdx.x * 32 + threadIdx.x, rows = n / gridDim.y, first = blockIdx.y * rows;
    double sum = 0;
    for (int row = first + threadIdx.y; row < first + rows; row += 8) sum += A[row * n + col] * x[row];
    held[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0) return;
    for (int k = 1; k < 8; ++k) sum += held[k][threadIdx.x];
    partial[blockIdx.y * n + col] = sum;
}

// launch quantised_by_vector: --kernel quantised_by_vector --grid 2048 --block 32,4 --arg i32[16777216] --arg f16[2097152]=0..1 --arg i32[2048] --arg f32[256]=0..1 --arg f32[8192] --arg i32:8192
// Weights of eight bits with a scale for every 32 of them, by a vector of the same kind; a warp a row.
__global__ void quantised_by_vector(const int4* __restrict__ weights, const half* __restrict__ scales,
                                    const int4* __restrict__ x, const float* __restrict__ x_scales, float* y,
                                    int cols) {
    int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x, vectors = cols / 16;
    float sum = 0;
    for (int i = lane; i < vectors; i += 32) {
        int4 w = weights[row * vectors + i], v = x[i];
        int dot = __dp4a(w.x, v.x, 0);
        dot = __dp4a(w.y, v.y, dot);
        dot = __dp4a(w.z, v.z, dot);
        dot = __dp4a(w.w, v.w, dot);
        sum += dot * __half2float(scales[row * (cols / 32) + i / 2]) * x_scales[i / 2];
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}
