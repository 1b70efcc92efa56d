// Four products in floats and doubles: complex matrices by three real products, vertex skinning, small inverses, a Toeplitz matrix by columns.
#include <cuda_fp16.h>

// launch complex_by_three_products: --kernel complex_by_three_products --grid 16,16 --block 16,16 --arg f32[262144]=-1..1 --arg f32[262144]=-1..1 --arg f32[524288] --arg i32:512 --arg i32:512 --arg i32:256
// Signal processing: C = A B of complex floats (interleaved), with three real products instead of four. A block has a
// 32x32 tile of C, a thread 2x2 of it; real part, imaginary part and their sum are kept apart in shared memory.
__global__ void complex_by_three_products(const float2* __restrict__ A, const float2* __restrict__ B, float2* __restrict__ C,
                                          int m, int n, int k)
{
    const int TILE = 32, DEPTH = 16;
    __shared__ float a_re[DEPTH][TILE + 1], a_im[DEPTH][TILE + 1], a_sum[DEPTH][TILE + 1];
    __shared__ float b_re[DEPTH][TILE], b_im[DEPTH][TILE], b_sum[DEPTH][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float p[2][2] = {}, q[2][2] = {}, r[2][2] = {};
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        for (int i = tid; i < TILE * DEPTH; i += 256) {
            int row = i / DEPTH, kk = i % DEPTH;
            float2 a = make_float2(0.0f, 0.0f);
            if (row0 + row < m && k0 + kk < k) a = A[(row0 + row) * k + k0 + kk];
            a_re[kk][row] = a.x; a_im[kk][row] = a.y; a_sum[kk][row] = a.x + a.y;
            int kb = i / TILE, col = i % TILE;
            float2 b = make_float2(0.0f, 0.0f);
            if (k0 + kb < k && col0 + col < n) b = B[(k0 + kb) * n + col0 + col];
            b_re[kb][col] = b.x; b_im[kb][col] = b.y; b_sum[kb][col] = b.x + b.y;
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < DEPTH; ++kk) {
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                float x = a_re[kk][ty + 16 * i], y = a_im[kk][ty + 16 * i], s = a_sum[kk][ty + 16 * i];
#pragma unroll
                for (int j = 0; j < 2; ++j) {
                    p[i][j] += x * b_re[kk][tx + 16 * j];
                    q[i][j] += y * b_im[kk][tx + 16 * j];
                    r[i][j] += s * b_sum[kk][tx + 16 * j];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            int row = row0 + ty + 16 * i, col = col0 + tx + 16 * j;
            if (row < m && col < n) C[row * n + col] = make_float2(p[i][j] - q[i][j], r[i][j] - p[i][j] - q[i][j]);
        }
}

// launch skin_vertices: --kernel skin_vertices --grid 1024 --block 256 --arg f32[786432]=-1..1 --arg f32[786432]=-1..1 --arg u8[1048576]=0..95 --arg f32[1048576]=0..1 --arg f32[1152]=-1..1 --arg f32[786432] --arg f32[786432] --arg i32:262144
// Games: linear blend skinning. Each vertex mixes the 3x4 matrices of four bones by its weights, and takes position and
// normal through the mix. A thread per vertex.
__global__ void skin_vertices(const float* __restrict__ positions, const float* __restrict__ normals, const uchar4* __restrict__ bones,
                              const float4* __restrict__ weights, const float4* __restrict__ matrices,
                              float* __restrict__ out_positions, float* __restrict__ out_normals, int count)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= count) return;
    uchar4 b = bones[v];
    float4 w = weights[v];
    float scale = 1.0f / fmaxf(w.x + w.y + w.z + w.w, 1e-6f);
    int bone[4] = {b.x, b.y, b.z, b.w};
    float weight[4] = {w.x * scale, w.y * scale, w.z * scale, w.w * scale};
    float4 m0 = make_float4(0, 0, 0, 0), m1 = m0, m2 = m0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        float s = weight[i];
        float4 r0 = matrices[bone[i] * 3], r1 = matrices[bone[i] * 3 + 1], r2 = matrices[bone[i] * 3 + 2];
        m0.x += s * r0.x; m0.y += s * r0.y; m0.z += s * r0.z; m0.w += s * r0.w;
        m1.x += s * r1.x; m1.y += s * r1.y; m1.z += s * r1.z; m1.w += s * r1.w;
        m2.x += s * r2.x; m2.y += s * r2.y; m2.z += s * r2.z; m2.w += s * r2.w;
    }
    float x = positions[3 * v], y = positions[3 * v + 1], z = positions[3 * v + 2];
    out_positions[3 * v] = m0.x * x + m0.y * y + m0.z * z + m0.w;
    out_positions[3 * v + 1] = m1.x * x + m1.y * y + m1.z * z + m1.w;
    out_positions[3 * v + 2] = m2.x * x + m2.y * y + m2.z * z + m2.w;
    x = normals[3 * v]; y = normals[3 * v + 1]; z = normals[3 * v + 2];
    float nx = m0.x * x + m0.y * y + m0.z * z;
    float ny = m1.x * x + m1.y * y + m1.z * z;
    float nz = m2.x * x + m2.y * y + m2.z * z;
    float inverse = rsqrtf(nx * nx + ny * ny + nz * nz + 1e-12f);
    out_normals[3 * v] = nx * inverse;
    out_normals[3 * v + 1] = ny * inverse;
    out_normals[3 * v + 2] = nz * inverse;
}

// launch invert_by_gauss_jordan: --kernel invert_by_gauss_jordan --grid 1536 --block 16,16 --arg f64[393216]=-1..1 --arg f64[393216] --arg f64:16.0
// Block preconditioners: the inverse of many 16x16 matrices of doubles (with a ridge on the diagonal) by Gauss-Jordan
// without pivots. A block per matrix, a thread per element; the row and column of the pivot go through shared memory.
__global__ void invert_by_gauss_jordan(const double* __restrict__ matrices, double* __restrict__ inverses, double ridge)
{
    __shared__ double pivot_row[2][16], pivot_column[2][16];
    int j = threadIdx.x, i = threadIdx.y;
    size_t at = (size_t)blockIdx.x * 256 + i * 16 + j;
    double a = matrices[at];
    if (i == j) a += ridge;
    for (int k = 0; k < 16; ++k) {
        int side = k & 1;
        if (i == k) pivot_row[side][j] = a;
        if (j == k) pivot_column[side][i] = a;
        __syncthreads();
        double p = 1.0 / pivot_row[side][k];
        double row = j == k ? p : pivot_row[side][j] * p;
        if (i == k)
            a = row;
        else
            a = (j == k ? 0.0 : a) - pivot_column[side][i] * row;
    }
    inverses[at] = a;
}

// launch toeplitz_product: --kernel toeplitz_product --grid 32,4 --block 256 --arg f32[2047]=-1..1 --arg f32[131072]=-1..1 --arg f32[131072] --arg i32:1024 --arg i32:128
// Time series: Y = T X where T is a Toeplitz matrix kept as its 2n-1 diagonals and X has many columns. A block has 32 rows
// by 32 columns of Y; a thread four rows of one column, with the diagonals sliding through its registers.
__global__ void toeplitz_product(const float* __restrict__ diagonals, const float* __restrict__ X, float* __restrict__ Y, int n, int columns)
{
    __shared__ float xs[32][32];
    __shared__ float ts[64];
    int c = threadIdx.x & 31, group = threadIdx.x >> 5;
    int row0 = blockIdx.x * 32, col = blockIdx.y * 32 + c;
    float y0 = 0, y1 = 0, y2 = 0, y3 = 0;
    for (int k0 = 0; k0 < n; k0 += 32) {
#pragma unroll
        for (int r = group; r < 32; r += 8)
            xs[r][c] = (k0 + r < n && col < columns) ? X[(k0 + r) * columns + col] : 0.0f;
        if (threadIdx.x < 63) {
            int d = row0 - k0 - 31 + (int)threadIdx.x + n - 1;
            ts[threadIdx.x] = (d >= 0 && d < 2 * n - 1) ? diagonals[d] : 0.0f;
        }
        __syncthreads();
        int base = group * 4 + 31;
        float t1 = ts[base + 1], t2 = ts[base + 2], t3 = ts[base + 3];
#pragma unroll 8
        for (int k = 0; k < 32; ++k) {
            float t0 = ts[base - k];
            float x = xs[k][c];
            y0 += t0 * x;
            y1 += t1 * x;
            y2 += t2 * x;
            y3 += t3 * x;
            t3 = t2;
            t2 = t1;
            t1 = t0;
        }
        __syncthreads();
    }
    if (col >= columns) return;
    int row = row0 + group * 4;
    if (row < n) Y[row * columns + col] = y0;
    if (row + 1 < n) Y[(row + 1) * columns + col] = y1;
    if (row + 2 < n) Y[(row + 2) * columns + col] = y2;
    if (row + 3 < n) Y[(row + 3) * columns + col] = y3;
}
