// Stencils: a gas of nine directions, cells that live and die, a filter for each plane, and Maxwell's equations.
#include <cuda_fp16.h>

// launch lattice_boltzmann: --kernel lattice_boltzmann --grid 16,1024 --block 128 --arg f32[18874368]=0.1..0.2 --arg f32[18874368] --arg f32:0.6
// A step of a lattice gas (D2Q9) on a torus of 2048 x 1024: nine arrays are pulled from nine neighbours, relaxed, and
// written.
__global__ void lattice_boltzmann(const float* __restrict__ in, float* __restrict__ out, float rate) {
    int width = gridDim.x * blockDim.x, height = gridDim.y, cells = width * height;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    int west = x == 0 ? width - 1 : x - 1, east = x == width - 1 ? 0 : x + 1;
    int here = y * width, north = (y == 0 ? height - 1 : y - 1) * width, south = (y == height - 1 ? 0 : y + 1) * width;
    float f[9];
    f[0] = in[here + x];
    f[1] = in[cells + here + west];
    f[2] = in[2 * cells + north + x];
    f[3] = in[3 * cells + here + east];
    f[4] = in[4 * cells + south + x];
    f[5] = in[5 * cells + north + west];
    f[6] = in[6 * cells + north + east];
    f[7] = in[7 * cells + south + east];
    f[8] = in[8 * cells + south + west];
    float density = f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8], inverse = 1 / density;
    float u = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) * inverse;
    float v = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) * inverse;
    float square = 1 - 1.5f * (u * u + v * v);
    const float weights[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                              1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
    float along[9] = {0, u, v, -u, -v, u + v, v - u, -u - v, u - v};
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        float rest = weights[q] * density * (square + along[q] * (3 + 4.5f * along[q]));
        out[q * cells + here + x] = f[q] + rate * (rest - f[q]);
    }
}

// launch life_bits: --kernel life_bits --grid 16,2048 --block 32,8 --arg u8[33554432]=0..255 --arg u32[8388608]
// The game of life on a torus of 16,384 x 16,384, a bit a cell: 32 cells a thread, whose neighbours are counted by
// adders made of logic.
__global__ void life_bits(const unsigned char* __restrict__ in_bytes,
                              unsigned* __restrict__ out) {
    const unsigned* in = (const unsigned*)in_bytes;
    int words = gridDim.x * 32, height = gridDim.y * 8;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int left = x == 0 ? words - 1 : x - 1, right = x == words - 1 ? 0 : x + 1;
    unsigned ones = 0, twos = 0, fours = 0, alive = 0;
#pragma unroll
    for (int k = -1; k <= 1; ++k) {
        int row = y + k;
        row = row < 0 ? height - 1 : row == height ? 0 : row;
        const unsigned* from = in + row * words;
        unsigned here = from[x], west = __funnelshift_l(from[left], here, 1), east = __funnelshift_r(here, from[right], 1);
        unsigned sum = west ^ east, carry = west & east;
        if (k == 0) alive = here;
        else carry |= sum & here, sum ^= here;
        unsigned up = ones & sum;
        ones ^= sum;
        fours |= (twos & carry) | (up & (twos ^ carry));
        twos ^= carry ^ up;
    }
    out[y * words + x] = ~fours & twos & (ones | alive);
}

// launch depthwise_seven: --kernel depthwise_seven --grid 3072 --block 256 --arg f16[12582912]=-1..1 --arg f32[18816]=-1..1 --arg f16[12582912] --arg i32:384
// A filter of 7 x 7 of its own for each plane of 64 x 64: a block has a plane with its rim in shared memory, and a thread
// sixteen results down a column.
__global__ void __launch_bounds__(256) depthwise_seven(const half* __restrict__ in, const float* __restrict__ weights,
                                                       half* __restrict__ out, int channels) {
    __shared__ float tile[70][72], w[49];
    int t = threadIdx.x, x = t % 64, top = t / 64 * 16;
    const half* from = in + blockIdx.x * 4096;
    for (int i = t; i < 4900; i += 256) {
        int row = i / 70 - 3, col = i % 70 - 3;
        bool inside = row >= 0 && row < 64 && col >= 0 && col < 64;
        tile[row + 3][col + 3] = inside ? __half2float(from[row * 64 + col]) : 0.0f;
    }
    if (t < 49) w[t] = weights[blockIdx.x % channels * 49 + t];
    __syncthreads();
    float sums[16] = {};
#pragma unroll
    for (int dx = 0; dx < 7; ++dx) {
        float mine[7];
#pragma unroll
        for (int dy = 0; dy < 7; ++dy) mine[dy] = w[dy * 7 + dx];
#pragma unroll
        for (int row = 0; row < 22; ++row) {
            float pixel = tile[top + row][x + dx];
#pragma unroll
            for (int dy = 0; dy < 7; ++dy)
                if (row - dy >= 0 && row - dy < 16) sums[row - dy] += pixel * mine[dy];
        }
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) out[blockIdx.x * 4096 + (top + k) * 64 + x] = __float2half(sums[k]);
}

// launch maxwell_step: --kernel maxwell_step --grid 3,48,192 --block 64,4 --arg f32[7077888]=-1..1 --arg f32[7077888]=-1..1 --arg f32[7077888]=-1..1 --arg f32[7077888]=-1..1 --arg f32[7077888]=-1..1 --arg f32[7077888]=-1..1 --arg f32:0.3
// Half a step of light in a box of 192 points a side: the magnetic field changes by the curl of the electric field, three
// arrays each, with nothing beyond the far sides.
__global__ void maxwell_step(const float* __restrict__ ex, const float* __restrict__ ey, const float* __restrict__ ez,
                             float* __restrict__ hx, float* __restrict__ hy, float* __restrict__ hz, float step) {
    int n = gridDim.z, x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z;
    int plane = n * n, i = z * plane + y * n + x;
    bool more_x = x + 1 < n, more_y = y + 1 < n, more_z = z + 1 < n;
    float here_x = ex[i], here_y = ey[i], here_z = ez[i];
    float x_of_y = more_y ? ex[i + n] : 0, x_of_z = more_z ? ex[i + plane] : 0;
    float y_of_x = more_x ? ey[i + 1] : 0, y_of_z = more_z ? ey[i + plane] : 0;
    float z_of_x = more_x ? ez[i + 1] : 0, z_of_y = more_y ? ez[i + n] : 0;
    hx[i] += step * ((y_of_z - here_y) - (z_of_y - here_z));
    hy[i] += step * ((z_of_x - here_z) - (x_of_z - here_x));
    hz[i] += step * ((x_of_y - here_x) - (y_of_x - here_y));
}
