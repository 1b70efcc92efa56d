// Four products in floats and doubles: a symmetric matrix of which one half is stored by a vector, log densities of a Gaussian mixture, Legendre synthesis on the sphere in doubles, and a block-sparse matrix by a dense one.
#include <cuda_fp16.h>

// launch symmetric_by_vector: --kernel symmetric_by_vector --grid 125,4 --block 32,8 --arg f32[16000000]=-1..1 --arg f32[4000]=-1..1 --arg f32[4000]=0 --arg i32:4000 --arg i32:4000 --arg f32:0.01
// Linear algebra: y += alpha A x, only the lower half of A is read. A block has 32 rows and a quarter of the tiles of 32x32;
// tiles above the diagonal are read from their mirror image through shared memory; sums go to y with atomics.
__global__ void symmetric_by_vector(const float* __restrict__ A, const float* __restrict__ x, float* __restrict__ y,
                                    int n, int lda, float alpha)
{
    __shared__ float tile[32][33];
    __shared__ float xs[32];
    __shared__ float part[8][33];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int bi = blockIdx.x;
    const int tiles = (n + 31) / 32;
    float sum = 0.0f;

    for (int bj = blockIdx.y; bj < tiles; bj += gridDim.y) {
        if (ty == 0) {
            const int c = bj * 32 + tx;
            xs[tx] = c < n ? x[c] : 0.0f;
        }
        if (bj < bi) {
            #pragma unroll
            for (int r = ty; r < 32; r += 8) {
                const int row = bi * 32 + r, col = bj * 32 + tx;
                tile[r][tx] = (row < n && col < n) ? A[(size_t)row * lda + col] : 0.0f;
            }
        } else if (bj > bi) {
            #pragma unroll
            for (int r = ty; r < 32; r += 8) {
                const int row = bj * 32 + r, col = bi * 32 + tx;
                tile[tx][r] = (row < n && col < n) ? A[(size_t)row * lda + col] : 0.0f;
            }
        } else {
            #pragma unroll
            for (int r = ty; r < 32; r += 8) {
                const int row = bi * 32 + max(r, tx), col = bi * 32 + min(r, tx);
                tile[r][tx] = row < n ? A[(size_t)row * lda + col] : 0.0f;
            }
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < 4; ++k) sum += tile[tx][ty * 4 + k] * xs[ty * 4 + k];
        __syncthreads();
    }
    part[ty][tx] = sum;
    __syncthreads();
    if (ty == 0) {
        float total = 0.0f;
        #pragma unroll
        for (int k = 0; k < 8; ++k) total += part[k][tx];
        const int row = bi * 32 + tx;
        if (row < n) atomicAdd(&y[row], alpha * total);
    }
}

// launch gaussian_mixture_logs: --kernel 'gaussian_mixture_logs<16,16>' --grid 256,2 --block 128 --arg f32[524288]=-2..2 --arg f32[512]=-1..1 --arg f32[4352]=-1..1 --arg f32[32]=-3..0 --arg f32[1048576] --arg i32:32768
// Statistics: the E step of a Gaussian mixture with full covariances: log w + log|L| - |L (x - mean)|^2 / 2. One thread a point
// (16 features, stored feature by feature), 16 components a block, their triangular factors packed in shared memory.
template <int D, int PER_BLOCK>
__global__ void __launch_bounds__(128) gaussian_mixture_logs(const float* __restrict__ points, const float* __restrict__ means,
                                      const float* __restrict__ factors, const float* __restrict__ log_weights,
                                      float* __restrict__ logs, int n)
{
    constexpr int PACKED = D * (D + 1) / 2;
    __shared__ float mean[PER_BLOCK * D];
    __shared__ float factor[PER_BLOCK * PACKED];
    __shared__ float offset[PER_BLOCK];

    const int first = blockIdx.y * PER_BLOCK;
    for (int k = threadIdx.x; k < PER_BLOCK * D; k += blockDim.x) mean[k] = means[first * D + k];
    for (int k = threadIdx.x; k < PER_BLOCK * PACKED; k += blockDim.x) factor[k] = factors[first * PACKED + k];
    __syncthreads();
    if (threadIdx.x < PER_BLOCK) {
        float half_log_det = 0.0f;
        for (int d = 0; d < D; ++d)
            half_log_det += logf(fabsf(factor[threadIdx.x * PACKED + d * (d + 1) / 2 + d]) + 1e-6f);
        offset[threadIdx.x] = log_weights[first + threadIdx.x] + half_log_det - 0.9189385f * D;
    }
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x[D];
    #pragma unroll
    for (int d = 0; d < D; ++d) x[d] = points[(size_t)d * n + i];

    for (int k = 0; k < PER_BLOCK; ++k) {
        const float* m = mean + k * D;
        const float* L = factor + k * PACKED;
        float away[D];
        #pragma unroll
        for (int d = 0; d < D; ++d) away[d] = x[d] - m[d];
        float square = 0.0f;
        #pragma unroll
        for (int r = 0; r < D; ++r) {
            float s = 0.0f;
            #pragma unroll
            for (int c = 0; c <= r; ++c) s += L[r * (r + 1) / 2 + c] * away[c];
            square += s * s;
        }
        logs[(size_t)(first + k) * n + i] = offset[k] - 0.5f * square;
    }
}

// launch legendre_synthesis: --kernel legendre_synthesis --grid 128,2 --block 32,8 --arg f64[528384]=-1..1 --arg f64[528384]=-1..1 --arg f64[1048576] --arg i32:127 --arg i32:64 --arg i32:32
// Weather models: spherical harmonics to Fourier coefficients, a triangular truncation: for each wave number m a product of
// Legendre values by complex coefficients of 32 levels, even and odd parts giving both hemispheres. One block an m and 32 latitudes.
__global__ void legendre_synthesis(const double* __restrict__ legendre, const double2* __restrict__ spectral,
                                   double2* __restrict__ fourier, int truncation, int half_lats, int levels)
{
    constexpr int STEP = 16;
    __shared__ double P[STEP][32];
    __shared__ double2 S[STEP][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int m = blockIdx.x;
    const int lat = blockIdx.y * 32 + tx;
    const int first = m * (truncation + 1) - m * (m - 1) / 2;       // where the wave numbers n = m.. of this m begin
    const int count = truncation + 1 - m;

    double2 even[4], odd[4];
    #pragma unroll
    for (int q = 0; q < 4; ++q) { even[q] = make_double2(0.0, 0.0); odd[q] = make_double2(0.0, 0.0); }

    for (int n0 = 0; n0 < count; n0 += STEP) {
        #pragma unroll
        for (int r = ty; r < STEP; r += 8) {
            const bool in = n0 + r < count;
            P[r][tx] = in && lat < half_lats ? legendre[(size_t)(first + n0 + r) * half_lats + lat] : 0.0;
            S[r][tx] = in && tx < levels ? spectral[(size_t)(first + n0 + r) * levels + tx] : make_double2(0.0, 0.0);
        }
        __syncthreads();
        #pragma unroll
        for (int r = 0; r < STEP; r += 2) {
            const double p0 = P[r][tx], p1 = P[r + 1][tx];
            #pragma unroll
            for (int q = 0; q < 4; ++q) {
                const double2 s0 = S[r][ty * 4 + q], s1 = S[r + 1][ty * 4 + q];
                even[q].x += p0 * s0.x;  even[q].y += p0 * s0.y;
                odd[q].x += p1 * s1.x;   odd[q].y += p1 * s1.y;
            }
        }
        __syncthreads();
    }
    if (lat >= half_lats) return;
    const int lats = 2 * half_lats;
    #pragma unroll
    for (int q = 0; q < 4; ++q) {
        const int level = ty * 4 + q;
        if (level >= levels) continue;
        double2* row = fourier + ((size_t)m * levels + level) * lats;
        row[lat] = make_double2(even[q].x + odd[q].x, even[q].y + odd[q].y);
        row[lats - 1 - lat] = make_double2(even[q].x - odd[q].x, even[q].y - odd[q].y);
    }
}

// launch block_sparse_by_dense: --kernel block_sparse_by_dense --grid 512,2 --block 128 --arg i32[513]=0+12 --arg i32[6144]=0..511 --arg f32[1572864]=-1..1 --arg f32[1048576]=-1..1 --arg f32[1048576] --arg i32:128
// Sparse linear algebra, pruned layers: blocks of 16x16 in rows of blocks, by a dense matrix of 128 columns. A thread block has
// one row of blocks and 64 columns; both operands through shared memory, 2x4 results a thread.
__global__ void __launch_bounds__(128, 8) block_sparse_by_dense(const int* __restrict__ row_starts, const int* __restrict__ block_columns,
                                      const float* __restrict__ values, const float* __restrict__ B,
                                      float* __restrict__ C, int columns)
{
    __shared__ float As[16][17];
    __shared__ float4 Bs[16][16];

    const int t = threadIdx.x;
    const int tx = t & 15, ty = t >> 4;          // 4 columns from 4 tx, rows ty and ty + 8
    const int col0 = blockIdx.y * 64;
    float acc[2][4] = {};

    const int end = row_starts[blockIdx.x + 1];
    for (int b = row_starts[blockIdx.x]; b < end; ++b) {
        const int k0 = block_columns[b] * 16;
        const float2 a = reinterpret_cast<const float2*>(values + (size_t)b * 256)[t];
        As[t >> 3][(t & 7) * 2] = a.x;
        As[t >> 3][(t & 7) * 2 + 1] = a.y;
        #pragma unroll
        for (int h = 0; h < 2; ++h)
            Bs[ty + 8 * h][tx] = *reinterpret_cast<const float4*>(B + (size_t)(k0 + ty + 8 * h) * columns + col0 + 4 * tx);
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < 16; ++k) {
            const float4 v = Bs[k][tx];
            const float a0 = As[ty][k], a1 = As[ty + 8][k];
            acc[0][0] += a0 * v.x;  acc[0][1] += a0 * v.y;  acc[0][2] += a0 * v.z;  acc[0][3] += a0 * v.w;
            acc[1][0] += a1 * v.x;  acc[1][1] += a1 * v.y;  acc[1][2] += a1 * v.z;  acc[1][3] += a1 * v.w;
        }
        __syncthreads();
    }
    #pragma unroll
    for (int h = 0; h < 2; ++h) {
        float* out = C + (size_t)(blockIdx.x * 16 + ty + 8 * h) * columns + col0 + 4 * tx;
        *reinterpret_cast<float4*>(out) = make_float4(acc[h][0], acc[h][1], acc[h][2], acc[h][3]);
    }
}
