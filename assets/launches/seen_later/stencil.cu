// Stencils: the brightest of 25 bytes, red and black points, waves in shallow water, and patches that look alike.

// launch dilate_bytes: --kernel dilate_bytes --grid 8,512 --block 128,4 --arg u8[8388608]=0..255 --arg u8[8388608] --arg i32:1024 --arg i32:2048
// Morphology: each pixel of a grey picture becomes the brightest of 5 x 5.
// Four pixels a thread in one word: first the largest down the columns, then along the row.
__global__ void dilate_bytes(const unsigned* __restrict__ in, unsigned* __restrict__ out, int words, int height) {
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    int west = max(x - 1, 0), east = min(x + 1, words - 1);
    unsigned left = 0, here = 0, right = 0;
#pragma unroll
    for (int k = -2; k <= 2; ++k) {
        const unsigned* row = in + min(max(y + k, 0), height - 1) * words;
        left = __vmaxu4(left, row[west]);
        here = __vmaxu4(here, row[x]);
        right = __vmaxu4(right, row[east]);
    }
    unsigned most = __vmaxu4(here, __vmaxu4(__funnelshift_l(left, here, 8), __funnelshift_l(left, here, 16)));
    most = __vmaxu4(most, __vmaxu4(__funnelshift_r(here, right, 8), __funnelshift_r(here, right, 16)));
    out[y * words + x] = most;
}

// launch red_black_points: --kernel red_black_points --grid 16,512 --block 64,4 --arg f64[4202500]=-1..1 --arg f64[4202500]=-1..1 --arg i32:2050 --arg i32:1 --arg f64:1.2
// Poisson's equation in doubles: every second point of a board of 2,048 x 2,048 is relaxed in place.
// Its neighbours have the other colour, so that nobody waits for anybody.
__global__ void red_black_points(double* u, const double* __restrict__ right, int pitch, int colour, double over) {
    int y = blockIdx.y * 4 + threadIdx.y + 1;
    int x = (blockIdx.x * 64 + threadIdx.x) * 2 + ((y + colour) & 1) + 1, at = y * pitch + x;
    double here = u[at], round = u[at - 1] + u[at + 1] + u[at - pitch] + u[at + pitch];
    u[at] = here + over * (0.25 * (round - right[at]) - here);
}

// launch shallow_water: --kernel shallow_water --grid 8,1536 --block 192 --arg f32[2359296]=1..2 --arg f32[2359296]=-0.5..0.5 --arg f32[2359296]=-0.5..0.5 --arg f32[2359296] --arg f32[2359296] --arg f32[2359296] --arg f32:0.05
// Waves in shallow water by Lax and Friedrichs: height and two momenta, from the fluxes of four neighbours.
// The sea of 1,536 x 1,536 is a torus.
__global__ void shallow_water(const float* __restrict__ height, const float* __restrict__ along,
                              const float* __restrict__ down, float* __restrict__ new_height,
                              float* __restrict__ new_along, float* __restrict__ new_down, float ratio) {
    int width = gridDim.x * blockDim.x, rows = gridDim.y, x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    int east = y * width + (x + 1 == width ? 0 : x + 1), west = y * width + (x == 0 ? width - 1 : x - 1);
    int south = (y + 1 == rows ? 0 : y + 1) * width + x, north = (y == 0 ? rows - 1 : y - 1) * width + x;
    float he = height[east], hw = height[west], hs = height[south], hn = height[north];
    float ue = along[east], uw = along[west], us = along[south], un = along[north];
    float ve = down[east], vw = down[west], vs = down[south], vn = down[north];
    float of_e = ue / he, of_w = uw / hw, of_s = vs / hs, of_n = vn / hn;
    const float half_gravity = 4.905f;
    int at = y * width + x;
    new_height[at] = 0.25f * (he + hw + hs + hn) - ratio * (ue - uw + vs - vn);
    new_along[at] = 0.25f * (ue + uw + us + un) -
                    ratio * (ue * of_e - uw * of_w + half_gravity * (he * he - hw * hw) + us * of_s - un * of_n);
    new_down[at] = 0.25f * (ve + vw + vs + vn) -
                   ratio * (vs * of_s - vn * of_n + half_gravity * (hs * hs - hn * hn) + ve * of_e - vw * of_w);
}

// launch nonlocal_means: --kernel nonlocal_means --grid 48,32 --block 16,16 --arg f32[403520]=0..1 --arg f32[393216] --arg i32:776 --arg f32:-8
// A picture loses its noise: a pixel is a mean of 7 x 7, weighted by how alike the 3 x 3 round each are.
// A block has 16 x 16 pixels and their rim in shared memory.
__global__ void nonlocal_means(const float* __restrict__ in, float* __restrict__ out, int pitch, float sharpness) {
    __shared__ float tile[24][25];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const float* from = in + blockIdx.y * 16 * pitch + blockIdx.x * 16;
    for (int i = t; i < 576; i += 256) tile[i / 24][i % 24] = from[i / 24 * pitch + i % 24];
    __syncthreads();
    float mine[9], sum = 0, total = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k) mine[k] = tile[ty + 3 + k / 3][tx + 3 + k % 3];
    for (int dy = 0; dy < 7; ++dy)
        for (int dx = 0; dx < 7; ++dx) {
            float apart = 0;
#pragma unroll
            for (int k = 0; k < 9; ++k) {
                float difference = tile[ty + dy + k / 3][tx + dx + k % 3] - mine[k];
                apart += difference * difference;
            }
            float weight = __expf(sharpness * apart);
            sum += weight * tile[ty + dy + 1][tx + dx + 1];
            total += weight;
        }
    out[(blockIdx.y * 16 + ty) * gridDim.x * 16 + blockIdx.x * 16 + tx] = sum / total;
}
