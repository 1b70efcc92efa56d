// Products without tensor cores: a convolution, antennas with each other, a Gram matrix, and spectral elements.

// launch convolve_layer: --kernel convolve_layer --grid 14,64 --block 28,8 --arg f32[1722368]=-1..1 --arg f32[18432]=-1..1 --arg f32[3211264] --arg i32:32
// A layer of 3 x 3 filters, 32 channels in and 64 out, on sixteen pictures of 56 x 56 with a rim.
// A thread has a pixel of sixteen channels; picture and weights pass through shared memory channel by channel.
__global__ void __launch_bounds__(224) convolve_layer(const float* __restrict__ in, const float* __restrict__ weights,
                                                      float* __restrict__ out, int channels) {
    __shared__ float tile[10][30];
    __shared__ __align__(16) float w[9][16];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 28 + tx;
    int x = blockIdx.x % 2 * 28, y = blockIdx.x / 2 * 8, group = blockIdx.y % 4, picture = blockIdx.y / 4;
    float sums[16] = {};
    for (int c = 0; c < channels; ++c) {
        const float* from = in + ((picture * channels + c) * 58 + y) * 58 + x;
        for (int i = t; i < 300; i += 224) tile[i / 30][i % 30] = from[i / 30 * 58 + i % 30];
        if (t < 144) w[t / 16][t % 16] = weights[(c * 9 + t / 16) * 64 + group * 16 + t % 16];
        __syncthreads();
#pragma unroll
        for (int tap = 0; tap < 9; ++tap) {
            float pixel = tile[ty + tap / 3][tx + tap % 3];
#pragma unroll
            for (int q = 0; q < 4; ++q) {
                float4 four = *(const float4*)&w[tap][4 * q];
                sums[4 * q] += pixel * four.x;
                sums[4 * q + 1] += pixel * four.y;
                sums[4 * q + 2] += pixel * four.z;
                sums[4 * q + 3] += pixel * four.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int o = 0; o < 16; ++o)
        out[((picture * 64 + group * 16 + o) * 56 + y + ty) * 56 + x + tx] = fmaxf(sums[o], 0.0f);
}

// launch correlate_antennas: --kernel correlate_antennas --grid 256 --block 16,16 --arg f32[8388608]=-1..1 --arg f32[2097152] --arg i32:256
// Radio astronomy: each of 64 antennas by the conjugate of each other, summed over time; a frequency a block,
// 4 x 4 complex sums a thread.
__global__ void correlate_antennas(const float4* __restrict__ samples, float2* __restrict__ visibilities, int times) {
    __shared__ __align__(16) float2 held[8][64];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    const float4* from = samples + blockIdx.x * times * 32;
    float2 sums[4][4] = {};
    for (int begin = 0; begin < times; begin += 8) {
        *(float4*)&held[t / 32][t % 32 * 2] = from[begin * 32 + t];
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 8; ++step) {
            float2 a[4], b[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) a[i] = held[step][y * 4 + i], b[i] = held[step][x + 16 * i];
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    sums[i][j].x += a[i].x * b[j].x;
                    sums[i][j].x += a[i].y * b[j].y;
                    sums[i][j].y += a[i].y * b[j].x;
                    sums[i][j].y -= a[i].x * b[j].y;
                }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) visibilities[blockIdx.x * 4096 + (y * 4 + i) * 64 + x + 16 * j] = sums[i][j];
}

// launch gram_double: --kernel gram_double --grid 24,24 --block 16,16 --arg f64[1572864]=-1..1 --arg f64[589824] --arg i32:2048 --arg i32:768
// Products of all columns with each other in doubles, the lower half only: the blocks above the diagonal have
// nothing to do.
__global__ void gram_double(const double* __restrict__ A, double* __restrict__ C, int rows, int cols) {
    if (blockIdx.x > blockIdx.y) return;
    __shared__ double a[16][32], b[16][32];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, row = blockIdx.y * 32, col = blockIdx.x * 32;
    double sums[2][2] = {};
    for (int k = 0; k < rows; k += 16) {
#pragma unroll
        for (int i = t; i < 512; i += 256) {
            a[i / 32][i % 32] = A[(k + i / 32) * cols + row + i % 32];
            b[i / 32][i % 32] = A[(k + i / 32) * cols + col + i % 32];
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 16; ++step) {
            double a0 = a[step][y], a1 = a[step][y + 16], b0 = b[step][x], b1 = b[step][x + 16];
            sums[0][0] += a0 * b0;
            sums[0][1] += a0 * b1;
            sums[1][0] += a1 * b0;
            sums[1][1] += a1 * b1;
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) C[(row + y + 16 * i) * cols + col + x + 16 * j] = sums[i][j];
}

// launch spectral_elements: --kernel spectral_elements --grid 4096 --block 8,8 --arg f64[2097152]=-1..1 --arg f64[12582912]=-1..1 --arg f64[64]=-1..1 --arg f64[2097152]
// A Laplacian on elements of 8 x 8 x 8 points: derivatives in three directions by a small dense matrix, six factors of
// the geometry a point, and the transposed matrix on the way back. A column of eight points a thread.
__global__ void __launch_bounds__(64) spectral_elements(const double* __restrict__ u,
                                                        const double* __restrict__ factors,
                                                        const double* __restrict__ derivative,
                                                        double* __restrict__ w) {
    __shared__ double d[8][9], level[8][9], of_r[8][9], of_s[8][9];
    int i = threadIdx.x, j = threadIdx.y, t = j * 8 + i;
    double column[8], result[8] = {};
    d[j][i] = derivative[t];
#pragma unroll
    for (int k = 0; k < 8; ++k) column[k] = u[blockIdx.x * 512 + k * 64 + t];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        level[j][i] = column[k];
        __syncthreads();
        double r = 0, s = 0, z = 0;
#pragma unroll
        for (int l = 0; l < 8; ++l) {
            r += d[i][l] * level[j][l];
            s += d[j][l] * level[l][i];
            z += d[k][l] * column[l];
        }
        const double* g = factors + blockIdx.x * 3072 + k * 64 + t;
        double g0 = g[0], g1 = g[512], g2 = g[1024], g3 = g[1536], g4 = g[2048], g5 = g[2560];
        of_r[j][i] = g0 * r + g1 * s + g2 * z;
        of_s[j][i] = g1 * r + g3 * s + g4 * z;
        double of_z = g2 * r + g4 * s + g5 * z;
#pragma unroll
        for (int l = 0; l < 8; ++l) result[l] += d[k][l] * of_z;
        __syncthreads();
        double sum = 0;
#pragma unroll
        for (int l = 0; l < 8; ++l) sum += d[l][i] * of_r[j][l] + d[l][j] * of_s[l][i];
        result[k] += sum;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) w[blockIdx.x * 512 + k * 64 + t] = result[k];
}
