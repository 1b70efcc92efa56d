// Normalisation: with a residual, backwards through a softmax, of genes in doubles, and of ten classes a thread.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// launch residual_rms: --kernel residual_rms --grid 3072 --block 640 --arg bf16[15728640]=-1..1 --arg bf16[15728640]=-1..1 --arg bf16[5120]=0.5..1.5 --arg bf16[15728640] --arg bf16[15728640] --arg f32:0.00001
// A layer's result is added to the residual stream, and the sum is scaled by its root mean square.
// A row of 5,120 numbers in bf16 a block, eight a thread; both are written.
__global__ void __launch_bounds__(640) residual_rms(const __nv_bfloat16* __restrict__ layer,
                                                    const __nv_bfloat16* __restrict__ stream,
                                                    const __nv_bfloat16* __restrict__ gains,
                                                    __nv_bfloat16* __restrict__ new_stream,
                                                    __nv_bfloat16* __restrict__ out, float epsilon) {
    __shared__ float held[20];
    int t = threadIdx.x, at = blockIdx.x * 640 + t;
    uint4 a = ((const uint4*)layer)[at], b = ((const uint4*)stream)[at], c;
    const __nv_bfloat162 *of_a = (const __nv_bfloat162*)&a, *of_b = (const __nv_bfloat162*)&b;
    __nv_bfloat162* of_c = (__nv_bfloat162*)&c;
    float2 x[4];
    float squares = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float2 u = __bfloat1622float2(of_a[k]), v = __bfloat1622float2(of_b[k]);
        x[k] = make_float2(u.x + v.x, u.y + v.y);
        of_c[k] = __floats2bfloat162_rn(x[k].x, x[k].y);
        squares += x[k].x * x[k].x + x[k].y * x[k].y;
    }
    ((uint4*)new_stream)[at] = c;
    for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(~0u, squares, step);
    if (t % 32 == 0) held[t / 32] = squares;
    __syncthreads();
    squares = t % 32 < 20 ? held[t % 32] : 0.0f;
    for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(~0u, squares, step);
    float factor = rsqrtf(squares / 5120 + epsilon);
    uint4 g = ((const uint4*)gains)[t];
    const __nv_bfloat162* of_g = (const __nv_bfloat162*)&g;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float2 gain = __bfloat1622float2(of_g[k]);
        of_c[k] = __floats2bfloat162_rn(x[k].x * factor * gain.x, x[k].y * factor * gain.y);
    }
    ((uint4*)out)[at] = c;
}

// launch softmax_backward: --kernel softmax_backward --grid 8192 --block 32,4 --arg f16[16777216]=0..1 --arg f16[16777216]=-1..1 --arg f16[16777216] --arg f32:0.125
// Backwards through a softmax over rows of 512 halves: the gradient less its mean under the weights, times the weights.
// A warp a row, sixteen numbers a lane.
__global__ void softmax_backward(const half* __restrict__ weights, const half* __restrict__ gradients,
                                 half* __restrict__ out, float scale) {
    int lane = threadIdx.x, at = (blockIdx.x * 4 + threadIdx.y) * 64 + lane;
    const uint4 *from_w = (const uint4*)weights + at, *from_g = (const uint4*)gradients + at;
    uint4 w[2] = {from_w[0], from_w[32]}, g[2] = {from_g[0], from_g[32]};
    float2 y[8], dy[8];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        y[k] = __half22float2(((const half2*)&w[k / 4])[k % 4]);
        dy[k] = __half22float2(((const half2*)&g[k / 4])[k % 4]);
        sum += y[k].x * dy[k].x + y[k].y * dy[k].y;
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
#pragma unroll
    for (int k = 0; k < 8; ++k)
        ((half2*)&w[k / 4])[k % 4] =
            __floats2half2_rn(scale * y[k].x * (dy[k].x - sum), scale * y[k].y * (dy[k].y - sum));
    ((uint4*)out)[at] = w[0];
    ((uint4*)out)[at + 32] = w[1];
}

// launch standardise_genes: --kernel standardise_genes --grid 1500 --block 320 --arg f64[4500000]=0..8 --arg f64[4500000] --arg i32:3000
// Each gene's expression over 3,000 cells, in doubles, gets mean nought and variance one.
// The row waits in shared memory, where mean and variance are taken one after the other.
__global__ void standardise_genes(const double* __restrict__ in, double* __restrict__ out, int cells) {
    __shared__ double row[3000];
    __shared__ double held[10];
    int t = threadIdx.x;
    const double* from = in + blockIdx.x * cells;
    double sum = 0;
    for (int i = t; i < cells; i += blockDim.x) {
        double x = from[i];
        row[i] = x;
        sum += x;
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (t % 32 == 0) held[t / 32] = sum;
    __syncthreads();
    double mean = 0;
    for (int w = 0; w < 10; ++w) mean += held[w];
    mean /= cells;
    __syncthreads();
    sum = 0;
    for (int i = t; i < cells; i += blockDim.x) {
        double apart = row[i] - mean;
        sum += apart * apart;
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (t % 32 == 0) held[t / 32] = sum;
    __syncthreads();
    double variance = 0;
    for (int w = 0; w < 10; ++w) variance += held[w];
    double inverse = 1 / sqrt(variance / (cells - 1) + 1e-12);
    for (int i = t; i < cells; i += blockDim.x) out[blockIdx.x * cells + i] = (row[i] - mean) * inverse;
}

// launch log_softmax_ten: --kernel log_softmax_ten --grid 3907 --block 256 --arg f32[10000000]=-5..5 --arg f32[10000000] --arg i32:1000000
// The logarithm of a softmax over ten classes: a row a thread, so neighbouring threads are 40 bytes apart.
__global__ void log_softmax_ten(const float2* __restrict__ in, float2* __restrict__ out, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float2 x[5];
    float most = -1e30f, sum = 0;
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        x[k] = in[i * 5 + k];
        most = fmaxf(most, fmaxf(x[k].x, x[k].y));
    }
#pragma unroll
    for (int k = 0; k < 5; ++k) sum += expf(x[k].x - most) + expf(x[k].y - most);
    float less = most + logf(sum);
#pragma unroll
    for (int k = 0; k < 5; ++k) out[i * 5 + k] = make_float2(x[k].x - less, x[k].y - less);
}
