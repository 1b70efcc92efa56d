// Normalisation: by neighbouring channels, by groups of channels, to eight bits, and of a transport plan.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// launch local_response: --kernel local_response --grid 190 --block 256 --arg f32[4646400]=-1..1 --arg f32[4646400] --arg i32:96 --arg i32:3025 --arg i32:48400
// Each value by the squares of five neighbouring channels: a pixel a thread, which goes through 96 channels with a
// window in registers.
__global__ void local_response(const float* __restrict__ in, float* __restrict__ out, int channels, int plane, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = i / plane * channels * plane + i % plane;
    float a = 0, b = 0, c = in[at], d = in[at + plane];
#pragma unroll 4
    for (int k = 0; k < channels; ++k) {
        float e = k + 2 < channels ? in[at + (k + 2) * plane] : 0;
        float sum = a * a + b * b + c * c + d * d + e * e;
        out[at + k * plane] = c * __powf(2 + 0.0001f * sum, -0.75f);
        a = b, b = c, c = d, d = e;
    }
}

// launch group_norm_silu: --kernel group_norm_silu --grid 32,32 --block 256 --arg f16[16777216]=-1..1 --arg f16[512]=-1..1 --arg f16[512]=-1..1 --arg f16[16777216] --arg i32:1024
// Groups of sixteen out of 512 channels that lie beside each other, and an activation: a block has a group of a picture
// of 32 x 32, and reads 32 bytes of each pixel, twice.
__global__ void group_norm_silu(const half* __restrict__ in, const half* __restrict__ scale,
                                const half* __restrict__ shift, half* __restrict__ out, int plane) {
    __shared__ float held[2][8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, part = t % 2;
    size_t base = (size_t)blockIdx.y * plane * 64 + blockIdx.x * 2 + part;
    const uint4* from = (const uint4*)in + base;
    float sum = 0, squares = 0;
    for (int pixel = t / 2; pixel < plane; pixel += 128) {
        uint4 vector = from[pixel * 64];
        const half2* pairs = (const half2*)&vector;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 x = __half22float2(pairs[k]);
            sum += x.x + x.y;
            squares += x.x * x.x + x.y * x.y;
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(~0u, sum, step);
        squares += __shfl_xor_sync(~0u, squares, step);
    }
    if (lane == 0) held[0][warp] = sum, held[1][warp] = squares;
    __syncthreads();
    sum = 0, squares = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += held[0][k], squares += held[1][k];
    float mean = sum / (16 * plane), inverse = rsqrtf(squares / (16 * plane) - mean * mean + 1e-5f);
    float factors[8], terms[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        int channel = blockIdx.x * 16 + part * 8 + k;
        factors[k] = inverse * __half2float(scale[channel]);
        terms[k] = __half2float(shift[channel]) - mean * factors[k];
    }
    for (int pixel = t / 2; pixel < plane; pixel += 128) {
        uint4 vector = from[pixel * 64];
        half2* pairs = (half2*)&vector;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 x = __half22float2(pairs[k]);
            x.x = x.x * factors[2 * k] + terms[2 * k];
            x.y = x.y * factors[2 * k + 1] + terms[2 * k + 1];
            x.x = __fdividef(x.x, 1 + __expf(-x.x));
            x.y = __fdividef(x.y, 1 + __expf(-x.y));
            pairs[k] = __float22half2_rn(x);
        }
        ((uint4*)out)[base + pixel * 64] = vector;
    }
}

// launch quantise_rows: --kernel quantise_rows --grid 8192 --block 512 --arg bf16[33554432]=-2..2 --arg u8[33554432] --arg f32[8192]
// A row of 4,096 numbers becomes bytes: eight a thread, the largest of the row decides the scale.
__global__ void __launch_bounds__(512) quantise_rows(const __nv_bfloat16* __restrict__ in,
                              unsigned char* __restrict__ out_bytes,
                              float* __restrict__ scales) {
    uint2* out = (uint2*)out_bytes;
    __shared__ float held[16];
    int t = threadIdx.x, at = blockIdx.x * 512 + t;
    uint4 vector = ((const uint4*)in)[at];
    const __nv_bfloat162* pairs = (const __nv_bfloat162*)&vector;
    float2 x[4];
    float most = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        x[k] = __bfloat1622float2(pairs[k]);
        most = fmaxf(most, fmaxf(fabsf(x[k].x), fabsf(x[k].y)));
    }
    for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    if (t % 32 == 0) held[t / 32] = most;
    __syncthreads();
    most = held[t % 16];
    for (int step = 8; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    float factor = 127 / fmaxf(most, 1e-8f);
    unsigned words[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        int a = __float2int_rn(x[2 * k].x * factor), b = __float2int_rn(x[2 * k].y * factor);
        int c = __float2int_rn(x[2 * k + 1].x * factor), d = __float2int_rn(x[2 * k + 1].y * factor);
        words[k] = (a & 255) | (b & 255) << 8 | (c & 255) << 16 | (unsigned)d << 24;
    }
    out[at] = make_uint2(words[0], words[1]);
    if (t == 0) scales[blockIdx.x] = most / 127;
}

// launch sinkhorn_rows: --kernel sinkhorn_rows --grid 512 --block 32,4 --arg f64[4194304]=0..1 --arg f64[2048]=-0.1..0.1 --arg f64[2048] --arg i32:2048 --arg f64:20
// Half a step of Sinkhorn's iteration in doubles: the logarithm of a sum of exponentials over each row, a warp a row.
__global__ void sinkhorn_rows(const double* __restrict__ costs, const double* __restrict__ of_columns,
                              double* __restrict__ of_rows, int cols, double sharpness) {
    int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
    const double* from = costs + (size_t)row * cols;
    double most = -1e300, sum = 0;
#pragma unroll 4
    for (int col = lane; col < cols; col += 32) most = fmax(most, of_columns[col] - from[col]);
    for (int step = 16; step > 0; step /= 2) most = fmax(most, __shfl_xor_sync(~0u, most, step));
#pragma unroll 4
    for (int col = lane; col < cols; col += 32) sum += exp((of_columns[col] - from[col] - most) * sharpness);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) of_rows[row] = -most - log(sum) / sharpness;
}
