// Four reductions: skewness and kurtosis of series, correlation of two spectra ring by ring, best-scoring segment of a protein sequence, squared norms of many gradients at once.
#include <cuda_fp16.h>

struct moments { float n, mean, m2, m3, m4; };

__device__ __forceinline__ moments joined(const moments& a, const moments& b)
{
    moments r;
    r.n = a.n + b.n;
    if (r.n == 0.0f) return a;
    float d = b.mean - a.mean;
    float inv = 1.0f / r.n;
    float dn = d * inv;
    float ab = a.n * b.n;
    r.mean = a.mean + dn * b.n;
    r.m2 = a.m2 + b.m2 + d * dn * ab;
    r.m3 = a.m3 + b.m3 + d * dn * dn * ab * (a.n - b.n) + 3.0f * dn * (a.n * b.m2 - b.n * a.m2);
    r.m4 = a.m4 + b.m4 + d * dn * dn * dn * ab * (a.n * a.n - ab + b.n * b.n)
         + 6.0f * dn * dn * (a.n * a.n * b.m2 + b.n * b.n * a.m2)
         + 4.0f * dn * (a.n * b.m3 - b.n * a.m3);
    return r;
}

__device__ __forceinline__ void take(moments& m, float x)
{
    float n1 = m.n;
    m.n += 1.0f;
    float d = x - m.mean;
    float dn = __fdividef(d, m.n);
    float dn2 = dn * dn;
    float t = d * dn * n1;
    m.mean += dn;
    m.m4 += t * dn2 * (m.n * m.n - 3.0f * m.n + 3.0f) + 6.0f * dn2 * m.m2 - 4.0f * dn * m.m3;
    m.m3 += t * dn * (m.n - 2.0f) - 3.0f * dn * m.m2;
    m.m2 += t;
}

__device__ __forceinline__ moments joined_in_warp(moments m)
{
    for (int o = 16; o > 0; o >>= 1) {
        moments other;
        other.n = __shfl_down_sync(0xffffffffu, m.n, o);
        other.mean = __shfl_down_sync(0xffffffffu, m.mean, o);
        other.m2 = __shfl_down_sync(0xffffffffu, m.m2, o);
        other.m3 = __shfl_down_sync(0xffffffffu, m.m3, o);
        other.m4 = __shfl_down_sync(0xffffffffu, m.m4, o);
        m = joined(m, other);
    }
    return m;
}

// launch skew_and_kurtosis: --kernel skew_and_kurtosis --grid 1100 --block 256 --arg f32[8800000]=-1..1 --arg f32[2200] --arg i32:8000
// Finance, sensors: third and fourth standardised moments of each series of returns in one pass; one block
// for a series, partial moments of threads are joined by shuffles and in shared memory.
__global__ void __launch_bounds__(256) skew_and_kurtosis(const float* __restrict__ series, float2* __restrict__ shape, int length)
{
    __shared__ moments of_warp[8];
    const float4* row = reinterpret_cast<const float4*>(series + (size_t)blockIdx.x * length);
    moments m = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = threadIdx.x; i < length / 4; i += blockDim.x) {
        float4 v = row[i];
        take(m, v.x);
        take(m, v.y);
        take(m, v.z);
        take(m, v.w);
    }
    m = joined_in_warp(m);
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) of_warp[warp] = m;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++) m = joined(m, of_warp[w]);
        float var = m.m2 / m.n;
        float2 out = make_float2(0.0f, 0.0f);
        if (var > 1e-12f) {
            out.x = (m.m3 / m.n) / (var * sqrtf(var));
            out.y = (m.m4 / m.n) / (var * var) - 3.0f;
        }
        shape[blockIdx.x] = out;
    }
}

#define RINGS 512

// launch ring_correlation: --kernel ring_correlation --grid 264 --block 256 --arg f32[4198400]=-1..1 --arg f32[4198400]=-1..1 --arg f32[1536]=0 --arg i32:1025 --arg i32:2048 --arg f32:0.5
// Electron microscopy: the sums for a Fourier ring correlation of two half-plane spectra (cross term and the two
// powers of each ring), gathered with atomics in shared memory, then added to the global sums; rows are dealt to blocks.
__global__ void ring_correlation(const float2* __restrict__ first, const float2* __restrict__ second,
                                 float* __restrict__ sums, int width, int height, float rings_per_cycle)
{
    __shared__ float cross[RINGS], power_a[RINGS], power_b[RINGS];
    for (int i = threadIdx.x; i < RINGS; i += blockDim.x) {
        cross[i] = 0.0f;
        power_a[i] = 0.0f;
        power_b[i] = 0.0f;
    }
    __syncthreads();
    for (int y = blockIdx.x; y < height; y += gridDim.x) {
        int fy = y <= height / 2 ? y : y - height;
        for (int x = threadIdx.x; x < width; x += blockDim.x) {
            float r = sqrtf((float)(x * x + fy * fy));
            int ring = __float2int_rn(r * rings_per_cycle);
            if (ring >= RINGS) continue;
            size_t at = (size_t)y * width + x;
            float2 a = first[at];
            float2 b = second[at];
            float weight = (x == 0 || x == width - 1) ? 1.0f : 2.0f;
            atomicAdd(&cross[ring], weight * (a.x * b.x + a.y * b.y));
            atomicAdd(&power_a[ring], weight * (a.x * a.x + a.y * a.y));
            atomicAdd(&power_b[ring], weight * (b.x * b.x + b.y * b.y));
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < RINGS; i += blockDim.x) {
        if (power_a[i] == 0.0f && power_b[i] == 0.0f) continue;
        atomicAdd(&sums[i], cross[i]);
        atomicAdd(&sums[RINGS + i], power_a[i]);
        atomicAdd(&sums[2 * RINGS + i], power_b[i]);
    }
}

struct stretch { int total, head, tail, best; };

__device__ __forceinline__ stretch followed_by(const stretch& a, const stretch& b)
{
    stretch r;
    r.total = a.total + b.total;
    r.head = max(a.head, a.total + b.head);
    r.tail = max(b.tail, b.total + a.tail);
    r.best = max(max(a.best, b.best), a.tail + b.head);
    return r;
}

__device__ __forceinline__ void four_letters(stretch& s, unsigned letters, const int* scores)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int v = scores[(letters >> (8 * k)) & 31u];
        s.total += v;
        s.head = max(s.head, s.total);
        s.tail = max(s.tail + v, 0);
        s.best = max(s.best, s.tail);
    }
}

// launch best_segment: --kernel best_segment --grid 1024 --block 128 --arg u8[16777216]=0..19 --arg i32[20]=-6..5 --arg i32[4096] --arg i32:16384
// Bioinformatics: the highest sum of residue scores over any segment (hydrophobic stretches), with the sums that let
// windows be joined later; sixteen letters a thread, joined in order by shuffles; one block for a window.
__global__ void best_segment(const unsigned char* __restrict__ residues, const int* __restrict__ score_of, int4* __restrict__ out, int window)
{
    __shared__ int scores[32];
    __shared__ stretch of_warp[4];
    if (threadIdx.x < 32) scores[threadIdx.x] = threadIdx.x < 20 ? score_of[threadIdx.x] : -20;
    __syncthreads();
    const uint4* text = reinterpret_cast<const uint4*>(residues + (size_t)blockIdx.x * window);
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    stretch so_far = {0, 0, 0, 0};
    for (int base = 0; base < window / 16; base += blockDim.x) {
        stretch s = {0, 0, 0, 0};
        if (base + threadIdx.x < window / 16) {
            uint4 v = text[base + threadIdx.x];
            four_letters(s, v.x, scores);
            four_letters(s, v.y, scores);
            four_letters(s, v.z, scores);
            four_letters(s, v.w, scores);
        }
#pragma unroll
        for (int o = 1; o < 32; o <<= 1) {
            stretch next;
            next.total = __shfl_down_sync(0xffffffffu, s.total, o);
            next.head = __shfl_down_sync(0xffffffffu, s.head, o);
            next.tail = __shfl_down_sync(0xffffffffu, s.tail, o);
            next.best = __shfl_down_sync(0xffffffffu, s.best, o);
            if ((lane & (2 * o - 1)) == 0) s = followed_by(s, next);
        }
        if (lane == 0) of_warp[warp] = s;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 0; w < 4; w++) so_far = followed_by(so_far, of_warp[w]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = make_int4(so_far.total, so_far.head, so_far.tail, so_far.best);
}

// launch gradient_norms: --kernel gradient_norms --grid 1500 --block 512 --arg f16[24000000]=-1..1 --arg i32[1501]=0+16000 --arg i32[1500]=0..63 --arg f32[64]=0 --arg i32[1]=0 --arg f32:0.0009765625
// Training: squared norms of the unscaled half-precision gradients of many tensors in one launch, with a flag for
// infinities; a table says which piece of which tensor a block has.
__global__ void __launch_bounds__(512) gradient_norms(const __half* grads, const int* piece_start, const int* piece_tensor,
                                                      float* square_of_tensor, int* overflow, float inv_scale)
{
    __shared__ float partial[16];
    int begin = piece_start[blockIdx.x];
    int n = piece_start[blockIdx.x + 1] - begin;
    const __half* p = grads + begin;
    float sum = 0.0f;
    bool finite = true;
    if (((size_t)p & 15) == 0) {
        const uint4* pv = reinterpret_cast<const uint4*>(p);
        int vectors = n >> 3;
        for (int i = threadIdx.x; i < vectors; i += 512) {
            uint4 v = pv[i];
            const __half2* h = reinterpret_cast<const __half2*>(&v);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float2 f = __half22float2(h[k]);
                f.x *= inv_scale;
                f.y *= inv_scale;
                finite = finite && isfinite(f.x) && isfinite(f.y);
                sum += f.x * f.x + f.y * f.y;
            }
        }
        for (int i = (vectors << 3) + threadIdx.x; i < n; i += 512) {
            float f = __half2float(p[i]) * inv_scale;
            finite = finite && isfinite(f);
            sum += f * f;
        }
    } else {
        for (int i = threadIdx.x; i < n; i += 512) {
            float f = __half2float(p[i]) * inv_scale;
            finite = finite && isfinite(f);
            sum += f * f;
        }
    }
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) partial[warp] = sum;
    int all_finite = __syncthreads_and(finite);
    if (warp == 0) {
        sum = lane < 16 ? partial[lane] : 0.0f;
        for (int o = 8; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
        if (lane == 0) {
            atomicAdd(&square_of_tensor[piece_tensor[blockIdx.x]], sum);
            if (!all_finite) *overflow = 1;
        }
    }
}
