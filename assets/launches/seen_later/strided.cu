// Strides: a turned picture of bytes, a box in Morton's order, cosines of small squares, and sound of three bytes.
#include <cuda_fp16.h>

// launch turn_bytes: --kernel turn_bytes --grid 128,64 --block 16,16 --arg u8[33554432]=0..255 --arg u8[33554432] --arg i32:2048 --arg i32:1024
// A picture of 8,192 x 4,096 bytes is transposed: a thread turns 4 x 4 bytes in registers.
// A block turns 64 x 64 through shared memory.
__global__ void turn_bytes(const unsigned* __restrict__ in, unsigned* __restrict__ out, int words, int out_words) {
    __shared__ unsigned tile[64][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    unsigned r[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) r[k] = in[(blockIdx.y * 64 + ty * 4 + k) * words + blockIdx.x * 16 + tx];
    unsigned a = __byte_perm(r[0], r[1], 0x5140), b = __byte_perm(r[2], r[3], 0x5140);
    unsigned c = __byte_perm(r[0], r[1], 0x7362), d = __byte_perm(r[2], r[3], 0x7362);
    tile[tx * 4][ty] = __byte_perm(a, b, 0x5410);
    tile[tx * 4 + 1][ty] = __byte_perm(a, b, 0x7632);
    tile[tx * 4 + 2][ty] = __byte_perm(c, d, 0x5410);
    tile[tx * 4 + 3][ty] = __byte_perm(c, d, 0x7632);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k)
        out[(blockIdx.x * 64 + ty * 4 + k) * out_words + blockIdx.y * 16 + tx] = tile[ty * 4 + k][tx];
}

__device__ unsigned spread(unsigned x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

// launch to_morton: --kernel to_morton --grid 256,256 --block 256 --arg f16[16777216]=-1..1 --arg f16[16777216]
// A box of 256 x 256 x 256 halves is written in Morton's order, where the bits of the three places alternate.
// It is read row by row.
__global__ void to_morton(const half* __restrict__ in, half* __restrict__ out) {
    unsigned x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    unsigned to = spread(x) | spread(y) << 1 | spread(z) << 2;
    out[to] = in[(z * 256 + y) * 256 + x];
}

__device__ void cosines(float (&v)[8]) {
    float a0 = v[0] + v[7], a1 = v[1] + v[6], a2 = v[2] + v[5], a3 = v[3] + v[4];
    float b0 = v[0] - v[7], b1 = v[1] - v[6], b2 = v[2] - v[5], b3 = v[3] - v[4];
    float c0 = a0 + a3, c1 = a1 + a2, c2 = a0 - a3, c3 = a1 - a2;
    v[0] = 0.35355339f * (c0 + c1);
    v[4] = 0.35355339f * (c0 - c1);
    v[2] = 0.46193977f * c2 + 0.19134172f * c3;
    v[6] = 0.19134172f * c2 - 0.46193977f * c3;
    v[1] = 0.49039264f * b0 + 0.41573481f * b1 + 0.27778512f * b2 + 0.09754516f * b3;
    v[3] = 0.41573481f * b0 - 0.09754516f * b1 - 0.49039264f * b2 - 0.27778512f * b3;
    v[5] = 0.27778512f * b0 - 0.49039264f * b1 + 0.09754516f * b2 + 0.41573481f * b3;
    v[7] = 0.09754516f * b0 - 0.27778512f * b1 + 0.41573481f * b2 - 0.49039264f * b3;
}

// launch cosine_squares: --kernel cosine_squares --grid 12,400 --block 256 --arg u8[9830400]=0..255 --arg f32[64]=0.01..0.1 --arg u8[19660800] --arg i32:3072
// What a JPEG file begins with: cosine transforms of squares of 8 x 8 pixels, first rows, then columns, and rounding.
// The rows of a square lie in the same banks of shared memory.
__global__ void cosine_squares(const unsigned char* __restrict__ in, const float* __restrict__ factors,
                               short* __restrict__ out, int width) {
    __shared__ float tile[8][256];
    int t = threadIdx.x, first = blockIdx.y * 8 * width + blockIdx.x * 256;
#pragma unroll
    for (int k = 0; k < 8; ++k) tile[k][t] = in[first + k * width + t] - 128.0f;
    __syncthreads();
    float v[8];
    int row = t % 8, square = t / 8 * 8;
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = tile[row][square + k];
    cosines(v);
#pragma unroll
    for (int k = 0; k < 8; ++k) tile[row][square + k] = v[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = tile[k][t];
    cosines(v);
#pragma unroll
    for (int k = 0; k < 8; ++k) out[first + k * width + t] = (short)__float2int_rn(v[k] * factors[k * 8 + t % 8]);
}

// launch sound_to_planes: --kernel sound_to_planes --grid 6250 --block 256 --arg u8[28800000]=0..255 --arg f32[9600000] --arg i32:1600000
// Sound of six channels, three bytes a sample, becomes six arrays of floats.
// A thread has a moment: its eighteen bytes are read one by one.
__global__ void sound_to_planes(const unsigned char* __restrict__ in, float* __restrict__ out, int moments) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char* from = in + i * 18;
#pragma unroll
    for (int channel = 0; channel < 6; ++channel) {
        int low = from[channel * 3], middle = from[channel * 3 + 1], high = (signed char)from[channel * 3 + 2];
        out[channel * moments + i] = (high << 16 | middle << 8 | low) * (1.0f / 8388608);
    }
}
