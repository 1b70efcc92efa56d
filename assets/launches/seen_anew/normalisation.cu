// Four normalisations: nucleus sampling's probabilities, softmax over the edges of each node of a graph, the gradient of RMS normalisation, and robust scaling of rows by median and deviation.
#include <cuda_bf16.h>

// launch nucleus_of_tokens: --kernel nucleus_of_tokens --grid 192 --block 1024 --arg f32[6144000]=-8..8 --arg f32[6144000] --arg f32[192] --arg i32:32000 --arg f32:1.25 --arg f32:0.9
// Language models: softmax with temperature of a row of logits, cut to the likeliest tokens that make up top_p, and made
// to sum to one again. A block a row, 32 logits a thread in registers; the threshold is found by halving.
template <bool MAX>
__device__ __forceinline__ float over_block(float v, float* parts)
{
    for (int o = 16; o > 0; o >>= 1) {
        float w = __shfl_xor_sync(0xffffffffu, v, o);
        v = MAX ? fmaxf(v, w) : v + w;
    }
    if ((threadIdx.x & 31) == 0) parts[threadIdx.x >> 5] = v;
    __syncthreads();
    v = parts[threadIdx.x & 31];
    for (int o = 16; o > 0; o >>= 1) {
        float w = __shfl_xor_sync(0xffffffffu, v, o);
        v = MAX ? fmaxf(v, w) : v + w;
    }
    __syncthreads();
    return v;
}

__global__ void __launch_bounds__(1024) nucleus_of_tokens(const float* __restrict__ logits, float* __restrict__ probs,
                                                          float* __restrict__ cut, int vocab, float inv_temperature,
                                                          float top_p)
{
    __shared__ float parts[32];
    const float* row = logits + (size_t)blockIdx.x * vocab;
    float* out = probs + (size_t)blockIdx.x * vocab;
    float v[32], top = -3.0e38f;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
        int i = threadIdx.x + j * 1024;
        v[j] = i < vocab ? row[i] * inv_temperature : -3.0e38f;
        top = fmaxf(top, v[j]);
    }
    top = over_block<true>(top, parts);
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
        v[j] = __expf(v[j] - top);
        sum += v[j];
    }
    sum = over_block<false>(sum, parts);

    float low = 0.0f, high = 1.0f, kept = sum;
    for (int turn = 0; turn < 12; ++turn) {
        float middle = 0.5f * (low + high), mass = 0.0f;
#pragma unroll
        for (int j = 0; j < 32; ++j) mass += v[j] >= middle ? v[j] : 0.0f;
        mass = over_block<false>(mass, parts);
        if (mass >= top_p * sum) { low = middle; kept = mass; }
        else high = middle;
    }
    const float scale = 1.0f / kept;
#pragma unroll
    for (int j = 0; j < 32; ++j) {
        int i = threadIdx.x + j * 1024;
        if (i < vocab) out[i] = v[j] >= low ? v[j] * scale : 0.0f;
    }
    if (threadIdx.x == 0) cut[blockIdx.x] = low * scale;
}

// launch softmax_of_edges: --kernel softmax_of_edges --grid 6250 --block 256 --arg i32[50000]=0+24 --arg i32[50000]=1..24 --arg i32[1200000]=0..49999 --arg f32[200000]=-2..2 --arg f32[200000]=-2..2 --arg f32[4800000] --arg i32:50000 --arg f32:0.2
// Graph attention: weights of a node's incoming edges for four heads, softmax of a leaky sum of scores of both ends.
// A warp a node, a lane for a head of every eighth edge, largest and sum kept as it goes.
__global__ void softmax_of_edges(const int* __restrict__ start, const int* __restrict__ degree,
                                 const int* __restrict__ neighbour, const float* __restrict__ score_src,
                                 const float* __restrict__ score_dst, float* __restrict__ weight, int n_nodes, float slope)
{
    const int node = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (node >= n_nodes) return;
    const int lane = threadIdx.x & 31, head = lane & 3, slot = lane >> 2;
    const int begin = start[node], end = begin + degree[node];
    const float mine = score_dst[node * 4 + head];

    float top = -1.0e30f, sum = 0.0f;
    for (int e = begin + slot; e < end; e += 8) {
        float s = mine + score_src[neighbour[e] * 4 + head];
        s = s > 0.0f ? s : slope * s;
        if (s > top) {
            sum = sum * __expf(top - s) + 1.0f;
            top = s;
        } else {
            sum += __expf(s - top);
        }
    }
#pragma unroll
    for (int o = 4; o < 32; o <<= 1) {
        float other_top = __shfl_xor_sync(0xffffffffu, top, o);
        float other_sum = __shfl_xor_sync(0xffffffffu, sum, o);
        float both = fmaxf(top, other_top);
        sum = sum * __expf(top - both) + other_sum * __expf(other_top - both);
        top = both;
    }
    const float scale = 1.0f / sum;
    for (int e = begin + slot; e < end; e += 8) {
        float s = mine + score_src[neighbour[e] * 4 + head];
        s = s > 0.0f ? s : slope * s;
        weight[(size_t)e * 4 + head] = __expf(s - top) * scale;
    }
}

// launch rms_norm_gradient: --kernel rms_norm_gradient --grid 264 --block 256 --arg bf16[8388608]=-1..1 --arg bf16[8388608]=-1..1 --arg bf16[2048]=0.5..1.5 --arg f32[4096]=1..2 --arg bf16[8388608] --arg f32[540672] --arg i32:4096
// Training of language models: backward pass of RMS normalisation of rows of 2048 in bfloat16. A block takes every 264th
// row, eight numbers a thread, and keeps its share of the weight's gradient in registers until the end.
__global__ void __launch_bounds__(256) rms_norm_gradient(const __nv_bfloat16* __restrict__ grad_out,
                                                         const __nv_bfloat16* __restrict__ x,
                                                         const __nv_bfloat16* __restrict__ weight,
                                                         const float* __restrict__ inv_rms,
                                                         __nv_bfloat16* __restrict__ grad_in,
                                                         float* __restrict__ grad_weight_parts, int n_rows)
{
    const int hidden = 2048;
    __shared__ float parts[2][8];
    const int at = threadIdx.x * 8, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float w[8], gw[8];
    {
        uint4 raw = *reinterpret_cast<const uint4*>(weight + at);
        const __nv_bfloat162* pair = reinterpret_cast<const __nv_bfloat162*>(&raw);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 f = __bfloat1622float2(pair[k]);
            w[2 * k] = f.x;
            w[2 * k + 1] = f.y;
            gw[2 * k] = gw[2 * k + 1] = 0.0f;
        }
    }
    int turn = 0;
    for (int row = blockIdx.x; row < n_rows; row += gridDim.x, turn ^= 1) {
        uint4 raw_g = *reinterpret_cast<const uint4*>(grad_out + (size_t)row * hidden + at);
        uint4 raw_x = *reinterpret_cast<const uint4*>(x + (size_t)row * hidden + at);
        const float r = inv_rms[row];
        const __nv_bfloat162* pg = reinterpret_cast<const __nv_bfloat162*>(&raw_g);
        const __nv_bfloat162* px = reinterpret_cast<const __nv_bfloat162*>(&raw_x);
        float g[8], n[8], dot = 0.0f;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float2 fg = __bfloat1622float2(pg[k]), fx = __bfloat1622float2(px[k]);
            n[2 * k] = fx.x * r;
            n[2 * k + 1] = fx.y * r;
            gw[2 * k] += fg.x * n[2 * k];
            gw[2 * k + 1] += fg.y * n[2 * k + 1];
            g[2 * k] = fg.x * w[2 * k];
            g[2 * k + 1] = fg.y * w[2 * k + 1];
            dot += g[2 * k] * n[2 * k] + g[2 * k + 1] * n[2 * k + 1];
        }
#pragma unroll
        for (int o = 16; o > 0; o >>= 1) dot += __shfl_xor_sync(0xffffffffu, dot, o);
        if (lane == 0) parts[turn][warp] = dot;
        __syncthreads();
        float mean = 0.0f;
#pragma unroll
        for (int k = 0; k < 8; ++k) mean += parts[turn][k];
        mean *= 1.0f / hidden;

        uint4 packed;
        __nv_bfloat162* po = reinterpret_cast<__nv_bfloat162*>(&packed);
#pragma unroll
        for (int k = 0; k < 4; ++k)
            po[k] = __floats2bfloat162_rn(r * (g[2 * k] - n[2 * k] * mean), r * (g[2 * k + 1] - n[2 * k + 1] * mean));
        *reinterpret_cast<uint4*>(grad_in + (size_t)row * hidden + at) = packed;
    }
    float4* out = reinterpret_cast<float4*>(grad_weight_parts + (size_t)blockIdx.x * hidden + at);
    out[0] = make_float4(gw[0], gw[1], gw[2], gw[3]);
    out[1] = make_float4(gw[4], gw[5], gw[6], gw[7]);
}

// launch robust_scale_rows: --kernel robust_scale_rows --grid 1024 --block 256 --arg f32[1048576]=-100..100 --arg f32[1048576] --arg f32[8192] --arg f32[8192] --arg i32:8192
// Proteomics and sensor data: rows of 128 less their median, divided by the median absolute deviation. A warp a row, four
// values a lane; a median is settled bit by bit on order-keeping keys, counted with ballots.
__device__ __forceinline__ unsigned to_key(float f)
{
    unsigned u = __float_as_uint(f);
    return u ^ ((u >> 31) ? 0xffffffffu : 0x80000000u);
}

__device__ __forceinline__ float from_key(unsigned k)
{
    return __uint_as_float(k ^ ((k >> 31) ? 0x80000000u : 0xffffffffu));
}

__device__ __forceinline__ float median_128(float a, float b, float c, float d)
{
    unsigned ka = to_key(a), kb = to_key(b), kc = to_key(c), kd = to_key(d), found = 0;
#pragma unroll 4
    for (int bit = 31; bit >= 0; --bit) {
        unsigned attempt = found | (1u << bit);
        int below = __popc(__ballot_sync(0xffffffffu, ka < attempt)) + __popc(__ballot_sync(0xffffffffu, kb < attempt)) +
                    __popc(__ballot_sync(0xffffffffu, kc < attempt)) + __popc(__ballot_sync(0xffffffffu, kd < attempt));
        if (below <= 63) found = attempt;
    }
    return from_key(found);
}

__global__ void robust_scale_rows(const float4* __restrict__ in, float4* __restrict__ out, float* __restrict__ medians,
                                  float* __restrict__ deviations, int n_rows)
{
    const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    if (row >= n_rows) return;
    float4 v = in[row * 32 + lane];
    const float median = median_128(v.x, v.y, v.z, v.w);
    v.x -= median;
    v.y -= median;
    v.z -= median;
    v.w -= median;
    const float mad = median_128(fabsf(v.x), fabsf(v.y), fabsf(v.z), fabsf(v.w));
    const float scale = 1.0f / fmaxf(1.4826f * mad, 1e-12f);
    out[row * 32 + lane] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
    if (lane == 0) {
        medians[row] = median;
        deviations[row] = mad;
    }
}
