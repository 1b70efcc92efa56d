// Four normalisations: RootSIFT descriptors, rows to the range 0 to 1, layer norm with Welford's merging, tf-idf weights of documents.
#include <cuda_fp16.h>

// launch root_descriptors: --kernel root_descriptors --grid 4096 --block 256 --arg f32[4194304]=0..1 --arg f32[4194304] --arg u8[4194304] --arg i32:32768
// Computer vision (RootSIFT): divides each descriptor of 128 floats by its sum, takes roots, and also writes them as bytes.
// A warp per descriptor, four values a lane.
__global__ void root_descriptors(const float4* __restrict__ in, float4* __restrict__ out, uchar4* __restrict__ bytes, int count)
{
    int lane = threadIdx.x & 31;
    int d = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (d >= count) return;
    float4 v = in[d * 32 + lane];
    float sum = fabsf(v.x) + fabsf(v.y) + fabsf(v.z) + fabsf(v.w);
#pragma unroll
    for (int s = 16; s; s >>= 1) sum += __shfl_xor_sync(~0u, sum, s);
    float inverse = 1.0f / (sum + 1e-10f);
    v.x = sqrtf(fmaxf(v.x, 0.0f) * inverse);
    v.y = sqrtf(fmaxf(v.y, 0.0f) * inverse);
    v.z = sqrtf(fmaxf(v.z, 0.0f) * inverse);
    v.w = sqrtf(fmaxf(v.w, 0.0f) * inverse);
    out[d * 32 + lane] = v;
    uchar4 b;
    b.x = (unsigned char)min(255, (int)(512.0f * v.x + 0.5f));
    b.y = (unsigned char)min(255, (int)(512.0f * v.y + 0.5f));
    b.z = (unsigned char)min(255, (int)(512.0f * v.z + 0.5f));
    b.w = (unsigned char)min(255, (int)(512.0f * v.w + 0.5f));
    bytes[d * 32 + lane] = b;
}

// launch rows_to_unit_range: --kernel rows_to_unit_range --grid 4096 --block 256 --arg f32[4194304]=-5..5 --arg f32[4096000] --arg f32[8192] --arg i32:1000 --arg i32:1024
// Data preparation: least and greatest of each row, then the row scaled to 0..1 (a constant row to 0). A block per row of a
// padded matrix; the range goes through shared memory and the row is read a second time.
__global__ void rows_to_unit_range(const float* in, float* out, float2* ranges, int columns, int stride)
{
    __shared__ float low_of[8], high_of[8];
    const float* row = in + (size_t)blockIdx.x * stride;
    float low = INFINITY, high = -INFINITY;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        float v = row[c];
        low = fminf(low, v);
        high = fmaxf(high, v);
    }
    for (int d = 16; d; d >>= 1) {
        low = fminf(low, __shfl_down_sync(~0u, low, d));
        high = fmaxf(high, __shfl_down_sync(~0u, high, d));
    }
    int warp = threadIdx.x >> 5;
    if ((threadIdx.x & 31) == 0) {
        low_of[warp] = low;
        high_of[warp] = high;
    }
    __syncthreads();
    low = low_of[0];
    high = high_of[0];
    for (int w = 1; w < 8; ++w) {
        low = fminf(low, low_of[w]);
        high = fmaxf(high, high_of[w]);
    }
    float span = high - low;
    float scale = span > 0.0f ? 1.0f / span : 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        out[(size_t)blockIdx.x * columns + c] = (row[c] - low) * scale;
    if (threadIdx.x == 0) ranges[blockIdx.x] = make_float2(low, high);
}

// launch layer_norm_welford: --kernel layer_norm_welford --grid 4096 --block 128 --arg f32[4194304]=-2..2 --arg f32[1024]=0.5..1.5 --arg f32[1024]=-0.5..0.5 --arg f32[4194304] --arg f32[4096] --arg f32[4096] --arg i32:1024 --arg f32:0.00001
// Neural networks: layer norm of float rows, with mean and variance gathered by Welford's running update and merged over
// lanes and warps by Chan's formula. A block per row; mean and reciprocal deviation are kept for the backward pass.
struct Spread { float mean, m2, count; };

__device__ __forceinline__ Spread merge(Spread a, Spread b)
{
    float count = a.count + b.count;
    float part = count > 0.0f ? __fdividef(b.count, count) : 0.0f;
    float delta = b.mean - a.mean;
    Spread r;
    r.mean = a.mean + delta * part;
    r.m2 = a.m2 + b.m2 + delta * delta * a.count * part;
    r.count = count;
    return r;
}

__device__ __forceinline__ void take(Spread& s, float x)
{
    s.count += 1.0f;
    float delta = x - s.mean;
    s.mean += __fdividef(delta, s.count);
    s.m2 += delta * (x - s.mean);
}

__global__ void layer_norm_welford(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                                   float* __restrict__ y, float* __restrict__ means, float* __restrict__ rstds, int width, float eps)
{
    __shared__ Spread of_warp[4];
    const float4* row = reinterpret_cast<const float4*>(x + (size_t)blockIdx.x * width);
    Spread s = {0.0f, 0.0f, 0.0f};
    for (int i = threadIdx.x; i < width / 4; i += 128) {
        float4 v = row[i];
        take(s, v.x);
        take(s, v.y);
        take(s, v.z);
        take(s, v.w);
    }
#pragma unroll
    for (int d = 16; d; d >>= 1) {
        Spread other;
        other.mean = __shfl_xor_sync(~0u, s.mean, d);
        other.m2 = __shfl_xor_sync(~0u, s.m2, d);
        other.count = __shfl_xor_sync(~0u, s.count, d);
        s = merge(s, other);
    }
    if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = s;
    __syncthreads();
    s = merge(merge(of_warp[0], of_warp[1]), merge(of_warp[2], of_warp[3]));
    float mean = s.mean, rstd = rsqrtf(s.m2 / width + eps);
    float4* out = reinterpret_cast<float4*>(y + (size_t)blockIdx.x * width);
    for (int i = threadIdx.x; i < width / 4; i += 128) {
        float4 v = row[i];
        float4 g = reinterpret_cast<const float4*>(gamma)[i], b = reinterpret_cast<const float4*>(beta)[i];
        v.x = (v.x - mean) * rstd * g.x + b.x;
        v.y = (v.y - mean) * rstd * g.y + b.y;
        v.z = (v.z - mean) * rstd * g.z + b.z;
        v.w = (v.w - mean) * rstd * g.w + b.w;
        out[i] = v;
    }
    if (threadIdx.x == 0) {
        means[blockIdx.x] = mean;
        rstds[blockIdx.x] = rstd;
    }
}

// launch tf_idf_rows: --kernel tf_idf_rows --grid 2048 --block 256 --arg i32[16385]=0+96 --arg i32[16384]=4..96 --arg i32[1572864]=0..29999 --arg i32[1572864]=1..12 --arg i32[30000]=1..16384 --arg f32[1572864] --arg i32:16384
// Text search: weights of the terms of each document, (1 + log of its count) times the log of its rarity, then the document
// brought to unit length. A warp per document; rows of varying length in a sparse matrix.
__global__ void tf_idf_rows(const int* __restrict__ starts, const int* __restrict__ lengths, const int* __restrict__ terms,
                            const int* __restrict__ counts, const int* __restrict__ documents_with, float* __restrict__ weights,
                            int documents)
{
    int lane = threadIdx.x & 31;
    int doc = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (doc >= documents) return;
    int begin = starts[doc], end = begin + lengths[doc];
    float squares = 0.0f;
    for (int i = begin + lane; i < end; i += 32) {
        float tf = 1.0f + logf((float)counts[i]);
        float idf = logf((1.0f + documents) / (1.0f + documents_with[terms[i]])) + 1.0f;
        float w = tf * idf;
        weights[i] = w;
        squares += w * w;
    }
    for (int d = 16; d; d >>= 1) squares += __shfl_xor_sync(~0u, squares, d);
    float scale = squares > 0.0f ? rsqrtf(squares) : 0.0f;
    for (int i = begin + lane; i < end; i += 32) weights[i] *= scale;
}
