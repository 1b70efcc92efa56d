// Four reductions: zone statistics of a nullable database column, the time step of a gas flow, a variogram of scattered samples, and chi-squares of spectra against templates.
#include <cuda_fp16.h>

// launch zone_statistics: --kernel zone_statistics --grid 1024 --block 256 --arg i64[4194304]=-1000000..1000000 --arg u32[131072]=0..4294967295 --arg i64[1024] --arg i64[1024] --arg i64[1024] --arg i32[1024] --arg i32:4194304
// Database: smallest, largest, sum and count of nulls of each zone of 4096 rows of a column with a validity bitmap. A block a zone,
// a warp takes 32 rows at a time under one word of the bitmap.
__global__ void zone_statistics(const long long* values, const unsigned* validity, long long* zone_min, long long* zone_max,
                                long long* zone_sum, int* zone_nulls, int rows)
{
    const int zone_rows = 4096;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    long long lo = 0x7fffffffffffffffLL, hi = -0x7fffffffffffffffLL - 1, sum = 0;
    int nulls = 0;
    const int begin = blockIdx.x * zone_rows;
    const int end = min(begin + zone_rows, rows);
    for (int row = begin + threadIdx.x; row < end; row += blockDim.x) {
        unsigned word = validity[row >> 5];
        if ((word >> (row & 31)) & 1u) {
            long long v = values[row];
            lo = v < lo ? v : lo;
            hi = v > hi ? v : hi;
            sum += v;
        } else {
            ++nulls;
        }
    }
    for (int d = 16; d > 0; d >>= 1) {
        long long a = __shfl_down_sync(0xffffffffu, lo, d);
        long long b = __shfl_down_sync(0xffffffffu, hi, d);
        lo = a < lo ? a : lo;
        hi = b > hi ? b : hi;
        sum += __shfl_down_sync(0xffffffffu, sum, d);
        nulls += __shfl_down_sync(0xffffffffu, nulls, d);
    }
    __shared__ long long s_lo[8], s_hi[8], s_sum[8];
    __shared__ int s_nulls[8];
    if (lane == 0) {
        s_lo[warp] = lo;
        s_hi[warp] = hi;
        s_sum[warp] = sum;
        s_nulls[warp] = nulls;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) {
            lo = s_lo[w] < lo ? s_lo[w] : lo;
            hi = s_hi[w] > hi ? s_hi[w] : hi;
            sum += s_sum[w];
            nulls += s_nulls[w];
        }
        zone_min[blockIdx.x] = lo;
        zone_max[blockIdx.x] = hi;
        zone_sum[blockIdx.x] = sum;
        zone_nulls[blockIdx.x] = nulls;
    }
}

// launch time_step_limit: --kernel time_step_limit --grid 528 --block 256 --arg f64[1048576]=0.5..2 --arg f64[1048576]=-1..1 --arg f64[1048576]=-1..1 --arg f64[1048576]=-1..1 --arg f64[1048576]=2..6 --arg f64[528] --arg f64[528] --arg i32:1048576 --arg f64:1.4 --arg f64:128.0 --arg f64:128.0 --arg f64:64.0
// Fluid dynamics: largest signal speed over spacing (which limits the time step) and total kinetic energy of a grid of conserved
// quantities. Threads stride over the grid, each block leaves a partial result.
__global__ void time_step_limit(const double* __restrict__ density, const double* __restrict__ mom_x, const double* __restrict__ mom_y,
                                const double* __restrict__ mom_z, const double* __restrict__ energy, double* __restrict__ rate_of_block,
                                double* __restrict__ kinetic_of_block, int cells, double gamma, double inv_dx, double inv_dy, double inv_dz)
{
    double rate = 0.0, kinetic = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x) {
        double inv_rho = 1.0 / density[i];
        double mx = mom_x[i], my = mom_y[i], mz = mom_z[i];
        double ke = 0.5 * (mx * mx + my * my + mz * mz) * inv_rho;
        double p = fmax((gamma - 1.0) * (energy[i] - ke), 1e-12);
        double c = sqrt(gamma * p * inv_rho);
        double r = (fabs(mx) * inv_rho + c) * inv_dx + (fabs(my) * inv_rho + c) * inv_dy + (fabs(mz) * inv_rho + c) * inv_dz;
        rate = fmax(rate, r);
        kinetic += ke;
    }
    __shared__ double s_rate[256], s_kinetic[256];
    const int t = threadIdx.x;
    s_rate[t] = rate;
    s_kinetic[t] = kinetic;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half) {
            s_rate[t] = fmax(s_rate[t], s_rate[t + half]);
            s_kinetic[t] += s_kinetic[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        rate_of_block[blockIdx.x] = s_rate[0];
        kinetic_of_block[blockIdx.x] = s_kinetic[0];
    }
}

// launch variogram_lags: --kernel variogram_lags --grid 20,20 --block 256 --arg f32[5000]=0..100 --arg f32[5000]=0..100 --arg f32[5000]=-2..2 --arg i32:5000 --arg f32:0.5 --arg f32[32]=0 --arg u32[32]=0
// Geostatistics: half squared differences of all pairs of samples nearer than 32 lags, summed by lag. A block takes a tile of 256 by
// 256 pairs in the upper triangle; each warp has its own bins in shared memory.
__global__ void variogram_lags(const float* x, const float* y, const float* z, int n, float inv_lag, float* gamma_sum, unsigned* pair_count)
{
    const int LAGS = 32;
    __shared__ float tx[256], ty[256], tz[256];
    __shared__ float sums[8][LAGS];
    __shared__ unsigned counts[8][LAGS];
    if (blockIdx.x < blockIdx.y) return;
    const int t = threadIdx.x, warp = t >> 5;
    sums[warp][t & 31] = 0.f;
    counts[warp][t & 31] = 0u;
    const int j0 = blockIdx.x * 256;
    if (j0 + t < n) {
        tx[t] = x[j0 + t];
        ty[t] = y[j0 + t];
        tz[t] = z[j0 + t];
    }
    __syncthreads();
    const int i = blockIdx.y * 256 + t;
    const int columns = min(256, n - j0);
    if (i < n) {
        const float xi = x[i], yi = y[i], zi = z[i];
        for (int j = 0; j < columns; ++j) {
            if (j0 + j <= i) continue;
            float dx = xi - tx[j], dy = yi - ty[j];
            int lag = (int)(sqrtf(dx * dx + dy * dy) * inv_lag);
            if (lag < LAGS) {
                float dz = zi - tz[j];
                atomicAdd(&sums[warp][lag], 0.5f * dz * dz);
                atomicAdd(&counts[warp][lag], 1u);
            }
        }
    }
    __syncthreads();
    if (t < LAGS) {
        float s = 0.f;
        unsigned c = 0;
        for (int w = 0; w < 8; ++w) {
            s += sums[w][t];
            c += counts[w][t];
        }
        if (c) {
            atomicAdd(&gamma_sum[t], s);
            atomicAdd(&pair_count[t], c);
        }
    }
}

// launch template_chi_squares: --kernel template_chi_squares --grid 400 --block 256 --arg f32[819200]=-0.5..2 --arg f32[819200]=0.1..4 --arg f32[98304]=0..1 --arg f32[400] --arg f32[400] --arg i32[400] --arg i32:48
// Astronomy: best template of each spectrum by chi-square with a free amplitude. A block a spectrum, kept weighted in shared memory;
// each warp takes every eighth template and sums over its 2048 pixels.
__global__ void __launch_bounds__(256) template_chi_squares(const float4* __restrict__ flux, const float4* __restrict__ inverse_variance,
                                                            const float4* __restrict__ templates, float* __restrict__ best_chi,
                                                            float* __restrict__ best_amplitude, int* __restrict__ best_template, int count)
{
    const int QUADS = 512;
    __shared__ float4 weighted[QUADS], weight[QUADS];
    __shared__ float s_part[8], s_chi[8], s_amp[8];
    __shared__ int s_index[8];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float dd = 0.f;
    for (int q = threadIdx.x; q < QUADS; q += 256) {
        float4 f = flux[blockIdx.x * QUADS + q];
        float4 w = inverse_variance[blockIdx.x * QUADS + q];
        float4 fw = make_float4(f.x * w.x, f.y * w.y, f.z * w.z, f.w * w.w);
        dd += f.x * fw.x + f.y * fw.y + f.z * fw.z + f.w * fw.w;
        weighted[q] = fw;
        weight[q] = w;
    }
    for (int d = 16; d > 0; d >>= 1) dd += __shfl_xor_sync(0xffffffffu, dd, d);
    if (lane == 0) s_part[warp] = dd;
    __syncthreads();
    dd = 0.f;
#pragma unroll
    for (int w = 0; w < 8; ++w) dd += s_part[w];

    float chi = 3.4e38f, amp = 0.f;
    int index = -1;
    for (int k = warp; k < count; k += 8) {
        float dt = 0.f, tt = 0.f;
#pragma unroll 4
        for (int q = lane; q < QUADS; q += 32) {
            float4 t = templates[k * QUADS + q];
            float4 a = weighted[q], w = weight[q];
            dt += a.x * t.x + a.y * t.y + a.z * t.z + a.w * t.w;
            tt += w.x * t.x * t.x + w.y * t.y * t.y + w.z * t.z * t.z + w.w * t.w * t.w;
        }
        for (int d = 16; d > 0; d >>= 1) {
            dt += __shfl_xor_sync(0xffffffffu, dt, d);
            tt += __shfl_xor_sync(0xffffffffu, tt, d);
        }
        float a = tt > 0.f ? fmaxf(dt / tt, 0.f) : 0.f;
        float c = dd - 2.f * a * dt + a * a * tt;
        if (c < chi) {
            chi = c;
            amp = a;
            index = k;
        }
    }
    if (lane == 0) {
        s_chi[warp] = chi;
        s_amp[warp] = amp;
        s_index[warp] = index;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int best = 0;
        for (int w = 1; w < 8; ++w)
            if (s_chi[w] < s_chi[best]) best = w;
        best_chi[blockIdx.x] = s_chi[best];
        best_amplitude[blockIdx.x] = s_amp[best];
        best_template[blockIdx.x] = s_index[best];
    }
}
