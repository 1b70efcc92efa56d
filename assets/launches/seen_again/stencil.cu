// Stencils: quarks on a lattice of four dimensions, shocks without ringing, a soft background, and ripples on a pond.
#include <cuda_fp16.h>

// launch staggered_links: --kernel staggered_links --grid 2592 --block 128 --arg f32[23887872]=-1..1 --arg f32[1990656]=-1..1 --arg f32[1990656] --arg i32:24
// Lattice quantum chromodynamics: the staggered Dirac operator on 24 x 24 x 24 x 24 sites, a torus.
// For each of four directions a matrix of 3 x 3 complex numbers turns the neighbour ahead, and another one the neighbour behind.
__global__ void __launch_bounds__(128) staggered_links(const float2* __restrict__ links, const float2* __restrict__ in,
                                                       float2* __restrict__ out, int side) {
    int site = blockIdx.x * 128 + threadIdx.x, sites = side * side * side * side, step = 1, odd = 0;
    float2 total[3] = {};
#pragma unroll
    for (int d = 0; d < 4; ++d) {
        int place = site / step % side;
        int ahead = place == side - 1 ? site - (side - 1) * step : site + step;
        int behind = place == 0 ? site + (side - 1) * step : site - step;
        float2 v[3], w[3], sum[3] = {};
#pragma unroll
        for (int c = 0; c < 3; ++c) {
            v[c] = in[c * sites + ahead];
            w[c] = in[c * sites + behind];
        }
#pragma unroll
        for (int r = 0; r < 3; ++r)
#pragma unroll
            for (int c = 0; c < 3; ++c) {
                float2 u = links[(d * 9 + r * 3 + c) * sites + site];
                sum[r].x += u.x * v[c].x - u.y * v[c].y;
                sum[r].y += u.x * v[c].y + u.y * v[c].x;
                u = links[(d * 9 + c * 3 + r) * sites + behind];
                sum[r].x -= u.x * w[c].x + u.y * w[c].y;
                sum[r].y -= u.x * w[c].y - u.y * w[c].x;
            }
        float sign = odd & 1 ? -0.5f : 0.5f;
#pragma unroll
        for (int r = 0; r < 3; ++r) {
            total[r].x += sign * sum[r].x;
            total[r].y += sign * sum[r].y;
        }
        odd += place;
        step *= side;
    }
#pragma unroll
    for (int r = 0; r < 3; ++r) out[r * sites + site] = total[r];
}

// launch weno_rows: --kernel weno_rows --grid 8,1000 --block 192 --arg f64[1536000]=0..1 --arg f64[1536000] --arg i32:1536 --arg f64:0.3
// Gas dynamics: a step along rows by a scheme of fifth order that does not ring at shocks (WENO), in doubles, on a ring.
// Cells and the fluxes between them are in shared memory; one thread of a block works out two fluxes.
__global__ void weno_rows(const double* __restrict__ in, double* __restrict__ out, int width, double ratio) {
    __shared__ double u[197], flux[193];
    int t = threadIdx.x, left = blockIdx.x * 192;
    const double* row = in + (size_t)blockIdx.y * width;
    for (int i = t; i < 197; i += 192) {
        int x = left + i - 3;
        x = x < 0 ? x + width : x >= width ? x - width : x;
        u[i] = row[x];
    }
    __syncthreads();
    for (int i = t; i < 193; i += 192) {
        double a = u[i], b = u[i + 1], c = u[i + 2], d = u[i + 3], e = u[i + 4];
        double s0 = a - 2 * b + c, t0 = a - 4 * b + 3 * c;
        double s1 = b - 2 * c + d, t1 = b - d;
        double s2 = c - 2 * d + e, t2 = 3 * c - 4 * d + e;
        double rough0 = 1e-6 + 13.0 / 12 * s0 * s0 + 0.25 * t0 * t0;
        double rough1 = 1e-6 + 13.0 / 12 * s1 * s1 + 0.25 * t1 * t1;
        double rough2 = 1e-6 + 13.0 / 12 * s2 * s2 + 0.25 * t2 * t2;
        double w0 = 0.1 / (rough0 * rough0), w1 = 0.6 / (rough1 * rough1), w2 = 0.3 / (rough2 * rough2);
        flux[i] = (w0 * (2 * a - 7 * b + 11 * c) + w1 * (5 * c - b + 2 * d) + w2 * (2 * c + 5 * d - e)) / (6 * (w0 + w1 + w2));
    }
    __syncthreads();
    out[(size_t)blockIdx.y * width + left + t] = u[t + 3] - ratio * (flux[t + 1] - flux[t]);
}

// launch running_box: --kernel running_box --grid 47,16 --block 64 --arg u8[24000000]=0..255 --arg u8[24000000] --arg i32:3000 --arg i32:2000 --arg i32:12 --arg i32:125
// Photographs: a soft background, the mean of 25 pixels down each column, with the rim repeated.
// A thread goes down a piece of a column: one pixel comes into the sum and one leaves it.
__global__ void running_box(const uchar4* __restrict__ in, uchar4* __restrict__ out, int width, int height, int reach, int rows) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    int y = blockIdx.y * rows, end = min(y + rows, height);
    int red = 0, green = 0, blue = 0;
    for (int k = -reach; k <= reach; ++k) {
        uchar4 p = in[min(max(y + k, 0), height - 1) * width + x];
        red += p.x;
        green += p.y;
        blue += p.z;
    }
    float scale = 1.0f / (2 * reach + 1);
    for (; y < end; ++y) {
        out[y * width + x] = make_uchar4((unsigned char)(red * scale + 0.5f), (unsigned char)(green * scale + 0.5f),
                                         (unsigned char)(blue * scale + 0.5f), 255);
        uchar4 comes = in[min(y + reach + 1, height - 1) * width + x], goes = in[max(y - reach, 0) * width + x];
        red += comes.x - goes.x;
        green += comes.y - goes.y;
        blue += comes.z - goes.z;
    }
}

// launch ripples_in_half: --kernel ripples_in_half --grid 80,480 --block 32,6 --arg f16[14767368]=-1..1 --arg f16[14767368]=-1..1 --arg i32:2562 --arg f32:0.99
// Games: ripples on the water of a pond of 5,120 x 2,880 points, two halves a thread; the last heights become the next ones.
// Neighbours to the left and right are put together from two words; a rim of one word stays as it is.
__global__ void ripples_in_half(const half2* __restrict__ now, half2* __restrict__ last, int pitch, float damping) {
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 6 + threadIdx.y + 1, at = y * pitch + x;
    half2 here = now[at], before = now[at - 1], after = now[at + 1];
    half2 west = __halves2half2(__high2half(before), __low2half(here));
    half2 east = __halves2half2(__high2half(here), __low2half(after));
    half2 sum = __hadd2(__hadd2(west, east), __hadd2(now[at - pitch], now[at + pitch]));
    half2 next = __hsub2(__hmul2(sum, __float2half2_rn(0.5f)), last[at]);
    last[at] = __hmul2(next, __float2half2_rn(damping));
}
