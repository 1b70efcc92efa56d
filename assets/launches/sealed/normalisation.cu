// Normalisation: layer norm over the channels of each pixel, gradient of weight normalisation, softmax in shifted windows, and transcripts per million.
#include <cuda_fp16.h>

// launch layer_norm_of_pixels: --kernel layer_norm_of_pixels --grid 98,16 --block 32,8 --arg f32[4816896]=-2..2 --arg f32[96]=0.5..1.5 --arg f32[96]=-0.5..0.5 --arg f32[4816896] --arg i32:3136 --arg f32:0.000001
// Vision networks: layer norm over 96 channels of images stored plane by plane; a block has 32 pixels by 8 groups of
// channels, kept in registers, with sums across groups in shared memory.
__global__ void layer_norm_of_pixels(const float *__restrict__ x, const float *__restrict__ gain,
                                     const float *__restrict__ bias, float *__restrict__ y, int pixels, float epsilon)
{
    constexpr int channels = 96, groups = 8, each = channels / groups;
    __shared__ float partial[groups][32];
    int pixel = blockIdx.x * 32 + threadIdx.x;
    int group = threadIdx.y;
    bool inside = pixel < pixels;
    const float *in = x + (size_t)blockIdx.y * channels * pixels + pixel;
    float v[each];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < each; ++k) {
        v[k] = inside ? in[(size_t)(k * groups + group) * pixels] : 0.0f;
        sum += v[k];
    }
    partial[group][threadIdx.x] = sum;
    __syncthreads();
    float mean = 0.0f;
#pragma unroll
    for (int g = 0; g < groups; ++g) mean += partial[g][threadIdx.x];
    mean *= 1.0f / channels;
    __syncthreads();
    float squares = 0.0f;
#pragma unroll
    for (int k = 0; k < each; ++k) {
        v[k] -= mean;
        squares += v[k] * v[k];
    }
    partial[group][threadIdx.x] = squares;
    __syncthreads();
    float variance = 0.0f;
#pragma unroll
    for (int g = 0; g < groups; ++g) variance += partial[g][threadIdx.x];
    float scale = rsqrtf(variance * (1.0f / channels) + epsilon);
    if (!inside) return;
    float *out = y + (size_t)blockIdx.y * channels * pixels + pixel;
#pragma unroll
    for (int k = 0; k < each; ++k) {
        int c = k * groups + group;
        out[(size_t)c * pixels] = v[k] * scale * gain[c] + bias[c];
    }
}

// launch weight_norm_gradient: --kernel weight_norm_gradient --grid 2048 --block 256 --arg f32[2359296]=-1..1 --arg f32[2359296]=-0.1..0.1 --arg f32[2048]=0.5..2 --arg f32[2359296] --arg f32[2048] --arg i32:288
// Training: gradients of a weight normalised as gain * direction / length; a block per filter of 1152 weights sums
// direction.direction and direction.gradient, then writes the gradients of direction and gain.
__global__ void weight_norm_gradient(const float4 *__restrict__ direction, const float4 *__restrict__ weight_gradient,
                                     const float *__restrict__ gain, float4 *__restrict__ direction_gradient,
                                     float *__restrict__ gain_gradient, int quads)
{
    __shared__ float2 sums[8];
    const float4 *v = direction + (size_t)blockIdx.x * quads;
    const float4 *g = weight_gradient + (size_t)blockIdx.x * quads;
    float vv = 0.0f, vg = 0.0f;
    for (int i = threadIdx.x; i < quads; i += blockDim.x) {
        float4 a = v[i], b = g[i];
        vv += a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
        vg += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    for (int off = 16; off > 0; off >>= 1) {
        vv += __shfl_down_sync(0xffffffffu, vv, off);
        vg += __shfl_down_sync(0xffffffffu, vg, off);
    }
    if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = make_float2(vv, vg);
    __syncthreads();
    vv = 0.0f;
    vg = 0.0f;
    for (int w = 0; w < 8; ++w) {
        vv += sums[w].x;
        vg += sums[w].y;
    }
    float inv = rsqrtf(fmaxf(vv, 1e-20f));
    float slope = vg * inv;
    if (threadIdx.x == 0) gain_gradient[blockIdx.x] = slope;
    float scale = gain[blockIdx.x] * inv;
    float along = slope * inv;
    float4 *out = direction_gradient + (size_t)blockIdx.x * quads;
    for (int i = threadIdx.x; i < quads; i += blockDim.x) {
        float4 a = v[i], b = g[i];
        out[i] = make_float4(scale * (b.x - along * a.x), scale * (b.y - along * a.y), scale * (b.z - along * a.z),
                             scale * (b.w - along * a.w));
    }
}

// launch window_softmax: --kernel window_softmax --grid 49,256 --block 32,6 --arg f16[3687936]=-4..4 --arg f16[1014]=-1..1 --arg i32[2401]=0..168 --arg u8[38416]=0..3 --arg f16[3687936] --arg f32:0.17677669
// Vision transformers: softmax of scores inside shifted windows of 49 pixels, with a learnt bias by relative position
// and pixels of other regions masked; a warp per row and head, a block per row of a window.
__global__ void window_softmax(const __half *__restrict__ scores, const __half *__restrict__ bias_table,
                               const int *__restrict__ relative, const unsigned char *__restrict__ region,
                               __half *__restrict__ weights, float scale)
{
    constexpr int side = 49, heads = 6, windows_per_image = 784;
    int row = blockIdx.x, window = blockIdx.y, head = threadIdx.y, lane = threadIdx.x;
    const unsigned char *regions = region + (window % windows_per_image) * side;
    size_t base = ((size_t)(window * heads + head) * side + row) * side;
    int mine = regions[row];
    float value[2];
    float top = -INFINITY;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        int col = lane + 32 * k;
        value[k] = -INFINITY;
        if (col < side) {
            float s = __half2float(scores[base + col]) * scale;
            s += __half2float(bias_table[relative[row * side + col] * heads + head]);
            if (regions[col] != mine) s -= 100.0f;
            value[k] = s;
        }
        top = fmaxf(top, value[k]);
    }
#pragma unroll
    for (int off = 16; off > 0; off >>= 1) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, off));
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        value[k] = __expf(value[k] - top);
        sum += value[k];
    }
#pragma unroll
    for (int off = 16; off > 0; off >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, off);
    float inv = __fdividef(1.0f, sum);
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        int col = lane + 32 * k;
        if (col < side) weights[base + col] = __float2half(value[k] * inv);
    }
}

// launch transcripts_per_million: --kernel transcripts_per_million --grid 264 --block 512 --arg i32[5280000]=0..500 --arg i32[20000]=100..8000 --arg f32[5280000] --arg f32:200 --arg i32:20000
// Bioinformatics: counts of reads into log2(transcripts per million + 1); a block per sample, first the sum of counts
// over effective lengths, then the scaled values.
__global__ void transcripts_per_million(const int *counts, const int *lengths, float *expression, float mean_fragment,
                                        int genes)
{
    __shared__ double warp_sums[16];
    __shared__ float factor;
    const int *row = counts + (size_t)blockIdx.x * genes;
    double sum = 0.0;
    for (int g = threadIdx.x; g < genes; g += blockDim.x) {
        float effective = lengths[g] - mean_fragment + 1.0f;
        if (effective >= 1.0f) sum += row[g] / effective;
    }
    for (int off = 16; off > 0; off >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, off);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        double total = 0.0;
        for (int w = 0; w < 16; ++w) total += warp_sums[w];
        factor = total > 0.0 ? 1e6f / (float)total : 0.0f;
    }
    __syncthreads();
    float f = factor;
    for (int g = threadIdx.x; g < genes; g += blockDim.x) {
        float effective = lengths[g] - mean_fragment + 1.0f;
        float tpm = effective >= 1.0f ? row[g] / effective * f : 0.0f;
        expression[(size_t)blockIdx.x * genes + g] = log2f(tpm + 1.0f);
    }
}
