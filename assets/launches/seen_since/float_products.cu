// Products in floats and doubles: filters' covariances, a transposed product, a bank of filters, and beams of antennas.

// launch kalman_covariances: --kernel kalman_covariances --grid 1024 --block 64 --arg f64[36]=-1..1 --arg f64[2359296]=-1..1 --arg f64[2359296] --arg f64:0.01 --arg i32:65536
// Tracking of many targets: the covariance of each of 65,536 Kalman filters is carried one step on, F P F' + Q, in doubles.
// A thread has a filter of six states; entry k of all filters lies together.
__global__ void __launch_bounds__(64) kalman_covariances(const double* __restrict__ F, const double* __restrict__ P,
                                                         double* __restrict__ next, double noise, int n) {
    __shared__ double f[36];
    if (threadIdx.x < 36) f[threadIdx.x] = F[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * 64 + threadIdx.x;
    double p[36];
#pragma unroll
    for (int k = 0; k < 36; ++k) p[k] = P[(size_t)k * n + i];
#pragma unroll
    for (int r = 0; r < 6; ++r) {
        double half_way[6];
#pragma unroll
        for (int c = 0; c < 6; ++c) {
            double s = 0;
#pragma unroll
            for (int k = 0; k < 6; ++k) s += f[r * 6 + k] * p[k * 6 + c];
            half_way[c] = s;
        }
#pragma unroll
        for (int c = 0; c < 6; ++c) {
            double s = r == c ? noise : 0.0;
#pragma unroll
            for (int k = 0; k < 6; ++k) s += half_way[k] * f[c * 6 + k];
            next[(size_t)(r * 6 + c) * n + i] = s;
        }
    }
}

// launch transposed_left: --kernel transposed_left --grid 16,12 --block 128 --arg f32[1179648]=-1..1 --arg f32[1572864]=-1..1 --arg f32[786432] --arg i32:768 --arg i32:1024 --arg i32:1536
// Least squares: A'B of two tall matrices, both read along their rows so that nothing has to be turned.
// Tiles of 64 x 64, sixteen rows at a time; a thread has 8 x 4 of it.
__global__ void __launch_bounds__(128) transposed_left(const float* __restrict__ A, const float* __restrict__ B,
                                                       float* __restrict__ C, int m, int n, int rows) {
    __shared__ __align__(16) float a[16][64], b[16][64];
    int t = threadIdx.x, y = t / 16 * 8, x = t % 16 * 4, top = blockIdx.y * 64, left = blockIdx.x * 64;
    float sums[8][4] = {};
    for (int k = 0; k < rows; k += 16) {
#pragma unroll
        for (int i = t; i < 256; i += 128) {
            int r = i / 16, c = i % 16 * 4;
            *(float4*)&a[r][c] = *(const float4*)&A[(size_t)(k + r) * m + top + c];
            *(float4*)&b[r][c] = *(const float4*)&B[(size_t)(k + r) * n + left + c];
        }
        __syncthreads();
#pragma unroll
        for (int s = 0; s < 16; ++s) {
            float4 p = *(const float4*)&a[s][y], q = *(const float4*)&a[s][y + 4], r = *(const float4*)&b[s][x];
            float ps[8] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w}, rs[4] = {r.x, r.y, r.z, r.w};
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[i][j] += ps[i] * rs[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        *(float4*)&C[(size_t)(top + y + i) * n + left + x] = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}

// launch mel_bank: --kernel mel_bank --grid 1024 --block 80,4 --arg f32[8404992]=0..1 --arg f32[41040]=0..0.1 --arg f32[1310720] --arg i32:513
// Speech recognition: power spectra of 513 bins times a dense bank of 80 mel filters, then a logarithm.
// A block has sixteen spectra in shared memory, four a row of threads; the filters come through the cache.
__global__ void mel_bank(const float* __restrict__ spectra, const float* __restrict__ bank, float* __restrict__ out, int bins) {
    __shared__ float held[16 * 513];
    int t = threadIdx.y * 80 + threadIdx.x;
    const float* from = spectra + (size_t)blockIdx.x * 16 * bins;
    for (int i = t; i < 16 * bins; i += 320) held[i] = from[i];
    __syncthreads();
    float sums[4] = {};
    for (int k = 0; k < bins; ++k) {
        float w = __ldg(&bank[k * 80 + threadIdx.x]);
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[j] += w * held[(threadIdx.y * 4 + j) * bins + k];
    }
    for (int j = 0; j < 4; ++j)
        out[(blockIdx.x * 16 + threadIdx.y * 4 + j) * 80 + threadIdx.x] = logf(sums[j] + 1e-6f);
}

// launch steer_beams: --kernel steer_beams --grid 64,6 --block 256 --arg f32[12288]=-1..1 --arg f32[2097152]=-1..1 --arg f32[1572864] --arg i32:16384
// Sonar: complex samples of 64 receivers are weighted and added to 96 beams, and only the power is kept.
// A thread has one moment and sixteen beams; the weights of these are in shared memory.
__global__ void __launch_bounds__(256) steer_beams(const float2* __restrict__ weights, const float2* __restrict__ samples,
                                                   float* __restrict__ power, int n) {
    __shared__ float2 w[64][16];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, first = blockIdx.y * 16;
    for (int k = t; k < 1024; k += 256) w[k / 16][k % 16] = weights[(k / 16) * 96 + first + k % 16];
    __syncthreads();
    float re[16] = {}, im[16] = {};
    for (int k = 0; k < 64; ++k) {
        float2 s = samples[(size_t)k * n + i];
#pragma unroll
        for (int b = 0; b < 16; ++b) {
            float2 c = w[k][b];
            re[b] += c.x * s.x - c.y * s.y;
            im[b] += c.x * s.y + c.y * s.x;
        }
    }
#pragma unroll
    for (int b = 0; b < 16; ++b) power[(size_t)(first + b) * n + i] = re[b] * re[b] + im[b] * im[b];
}
