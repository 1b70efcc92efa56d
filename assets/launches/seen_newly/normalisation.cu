// Four normalisations: entmax of rows by bisection, robust centred log ratios of counts, standardised weights of filters in bf16, and energies of sound normalised by channel over time (PCEN).
#include <cuda_bf16.h>

// launch entmax_by_bisection: --kernel entmax_by_bisection --grid 1024 --block 128 --arg f32[4096000]=-4..4 --arg f32[4096000] --arg i32:4096 --arg i32:1000
// Learning: entmax with alpha 1.5 (between softmax and sparsemax). One warp a row of at most 1024, in registers; the threshold
// by 20 halvings with a sum over the warp each.
__global__ void __launch_bounds__(128) entmax_by_bisection(const float* __restrict__ scores, float* __restrict__ out, int rows, int columns)
{
    constexpr int PER = 32;
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= rows) return;
    const float* in = scores + (size_t)row * columns;
    float z[PER];
    float top = -1e30f;
    #pragma unroll
    for (int k = 0; k < PER; ++k) {
        const int c = k * 32 + lane;
        z[k] = c < columns ? 0.5f * in[c] : -1e30f;
        top = fmaxf(top, z[k]);
    }
    #pragma unroll
    for (int d = 16; d; d >>= 1) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));

    float low = top - 1.0f;
    float width = 1.0f - rsqrtf((float)columns);
    float sum = 1.0f;
    for (int step = 0; step < 20; ++step) {
        width *= 0.5f;
        const float tau = low + width;
        sum = 0.0f;
        #pragma unroll
        for (int k = 0; k < PER; ++k) {
            const float p = fmaxf(z[k] - tau, 0.0f);
            sum += p * p;
        }
        #pragma unroll
        for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
        if (sum >= 1.0f) low = tau;
    }
    sum = 0.0f;
    #pragma unroll
    for (int k = 0; k < PER; ++k) {
        const float p = fmaxf(z[k] - low, 0.0f);
        z[k] = p * p;
        sum += z[k];
    }
    #pragma unroll
    for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    const float scale = 1.0f / sum;
    float* o = out + (size_t)row * columns;
    #pragma unroll
    for (int k = 0; k < PER; ++k) {
        const int c = k * 32 + lane;
        if (c < columns) o[c] = z[k] * scale;
    }
}

// launch centred_log_ratios: --kernel centred_log_ratios --grid 3000 --block 256 --arg u16[6000000]=0..9 --arg f32[6000000] --arg f32[3000] --arg i32:2000
// Microbiology: counts of taxa in a sample to logarithms less their mean, zeros left out of the mean and left at zero. One block
// a sample, two counts at a time, read twice.
__global__ void centred_log_ratios(const ushort2* __restrict__ counts, float2* __restrict__ out, float* __restrict__ centres, int taxa)
{
    __shared__ float sums[8];
    __shared__ int numbers[8];
    __shared__ float centre;

    const int pairs = taxa / 2;
    const ushort2* in = counts + (size_t)blockIdx.x * pairs;
    float sum = 0.0f;
    int number = 0;
    for (int p = threadIdx.x; p < pairs; p += blockDim.x) {
        const ushort2 c = in[p];
        if (c.x) { sum += logf((float)c.x); ++number; }
        if (c.y) { sum += logf((float)c.y); ++number; }
    }
    #pragma unroll
    for (int d = 16; d; d >>= 1) {
        sum += __shfl_down_sync(0xffffffffu, sum, d);
        number += __shfl_down_sync(0xffffffffu, number, d);
    }
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    if (lane == 0) { sums[warp] = sum; numbers[warp] = number; }
    __syncthreads();
    if (threadIdx.x == 0) {
        float s = 0.0f;
        int m = 0;
        for (int w = 0; w < (int)(blockDim.x >> 5); ++w) { s += sums[w]; m += numbers[w]; }
        centre = m ? s / m : 0.0f;
        centres[blockIdx.x] = centre;
    }
    __syncthreads();
    const float mean = centre;
    float2* o = out + (size_t)blockIdx.x * pairs;
    for (int p = threadIdx.x; p < pairs; p += blockDim.x) {
        const ushort2 c = in[p];
        o[p] = make_float2(c.x ? logf((float)c.x) - mean : 0.0f, c.y ? logf((float)c.y) - mean : 0.0f);
    }
}

// launch standardise_filters: --kernel standardise_filters --grid 1024 --block 256 --dynamic-shared 18432 --arg f32[4718592]=-0.1..0.1 --arg f32[1024]=0.5..1.5 --arg bf16[4718592] --arg i32:4608 --arg f32:0.0001
// Learning: weight standardisation: each filter of a convolution (512 channels of 3x3) to mean 0 and variance 1 / fan-in, by
// its gain, to bf16. One block a filter, kept in shared memory between mean, variance and writing.
__global__ void standardise_filters(const float* __restrict__ weights, const float* __restrict__ gains,
                                    __nv_bfloat16* __restrict__ out, int fan_in, float eps)
{
    extern __shared__ float4 kept[];
    __shared__ float parts[8];

    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int quads = fan_in / 4;
    const float4* in = reinterpret_cast<const float4*>(weights + (size_t)blockIdx.x * fan_in);

    float sum = 0.0f;
    for (int q = threadIdx.x; q < quads; q += blockDim.x) {
        const float4 w = in[q];
        kept[q] = w;
        sum += (w.x + w.y) + (w.z + w.w);
    }
    #pragma unroll
    for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) parts[warp] = sum;
    __syncthreads();
    float mean = 0.0f;
    #pragma unroll
    for (int w = 0; w < 8; ++w) mean += parts[w];
    mean /= fan_in;
    __syncthreads();

    float square = 0.0f;
    for (int q = threadIdx.x; q < quads; q += blockDim.x) {
        const float4 w = kept[q];
        const float a = w.x - mean, b = w.y - mean, c = w.z - mean, d = w.w - mean;
        square += a * a + b * b + c * c + d * d;
    }
    #pragma unroll
    for (int d = 16; d; d >>= 1) square += __shfl_xor_sync(0xffffffffu, square, d);
    if (lane == 0) parts[warp] = square;
    __syncthreads();
    float variance = 0.0f;
    #pragma unroll
    for (int w = 0; w < 8; ++w) variance += parts[w];
    variance /= fan_in;

    const float scale = gains[blockIdx.x] * rsqrtf(fmaxf(variance * fan_in, eps));
    __nv_bfloat162* o = reinterpret_cast<__nv_bfloat162*>(out + (size_t)blockIdx.x * fan_in);
    for (int q = threadIdx.x; q < quads; q += blockDim.x) {
        const float4 w = kept[q];
        o[2 * q] = __floats2bfloat162_rn((w.x - mean) * scale, (w.y - mean) * scale);
        o[2 * q + 1] = __floats2bfloat162_rn((w.z - mean) * scale, (w.w - mean) * scale);
    }
}

// launch energies_by_channel: --kernel energies_by_channel --grid 128 --block 80,2 --arg f32[6144000]=0..50 --arg f32[80]=0.9..0.99 --arg f32[80]=1..3 --arg f32[80]=0.3..0.6 --arg f32[6144000] --arg i32:256 --arg i32:300 --arg f32:0.025
// Speech: per-channel energy normalisation (PCEN) of mel spectra: each energy divided by a power of its running mean, then
// compressed by a root, with trained constants by channel. One thread a channel of an utterance, along the frames.
__global__ void energies_by_channel(const float* __restrict__ mel, const float* __restrict__ alphas, const float* __restrict__ deltas,
                                    const float* __restrict__ roots, float* __restrict__ out,
                                    int utterances, int frames, float smoothing)
{
    const int channel = threadIdx.x;
    const int channels = blockDim.x;
    const int u = blockIdx.x * blockDim.y + threadIdx.y;
    if (u >= utterances) return;
    const float alpha = fminf(alphas[channel], 1.0f);
    const float delta = deltas[channel];
    const float root = roots[channel];
    const float bottom = powf(delta, root);
    const float eps = 1e-6f;

    const float* in = mel + (size_t)u * frames * channels + channel;
    float* o = out + (size_t)u * frames * channels + channel;
    float mean = in[0];
    for (int f = 0; f < frames; ++f) {
        const float e = in[(size_t)f * channels];
        mean += smoothing * (e - mean);
        const float gain = expf(-alpha * logf(eps + mean));
        o[(size_t)f * channels] = powf(e * gain + delta, root) - bottom;
    }
}
