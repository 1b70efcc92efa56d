// Four scans: weights of samples along rays, run-length decoding of pages, a light recurrent layer over time, orientations as running products of quaternions.
#include <cuda_fp16.h>

// launch ray_weights: --kernel ray_weights --grid 4096 --block 256 --arg f32[4194304]=-4..8 --arg f32[4194304]=0.01..0.07 --arg f16[12582912]=0..1 --arg f32[4194304] --arg f32[131072] --arg i32:32768 --arg i32:128 --arg f32:0.0001
// Radiance fields: each sample's share of its ray's colour, from a running sum of optical depths; a warp for a ray,
// 32 samples at a time, left off once hardly any light gets through.
__global__ void ray_weights(const float* __restrict__ density, const float* __restrict__ step, const __half* __restrict__ colour,
                            float* __restrict__ weights, float4* __restrict__ pixel, int rays, int samples, float least)
{
    int ray = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (ray >= rays) return;
    size_t base = (size_t)ray * samples;
    float r = 0.0f, g = 0.0f, b = 0.0f;
    float depth_before = 0.0f;
    int first = 0;
    for (; first < samples; first += 32) {
        int s = first + lane;
        float depth = 0.0f;
        if (s < samples) depth = fmaxf(density[base + s], 0.0f) * step[base + s];
        float upto = depth;
        for (int o = 1; o < 32; o <<= 1) {
            float t = __shfl_up_sync(0xffffffffu, upto, o);
            if (lane >= o) upto += t;
        }
        if (s < samples) {
            float through = __expf(-(depth_before + upto - depth));
            float w = through * (1.0f - __expf(-depth));
            weights[base + s] = w;
            if (w > 0.0f) {
                const __half* c = colour + 3 * (base + s);
                r += w * __half2float(c[0]);
                g += w * __half2float(c[1]);
                b += w * __half2float(c[2]);
            }
        }
        depth_before += __shfl_sync(0xffffffffu, upto, 31);
        if (__expf(-depth_before) < least) { first += 32; break; }
    }
    for (int s = first + lane; s < samples; s += 32) weights[base + s] = 0.0f;
    for (int o = 16; o > 0; o >>= 1) {
        r += __shfl_xor_sync(0xffffffffu, r, o);
        g += __shfl_xor_sync(0xffffffffu, g, o);
        b += __shfl_xor_sync(0xffffffffu, b, o);
    }
    if (lane == 0) pixel[ray] = make_float4(r, g, b, 1.0f - __expf(-depth_before));
}

#define PAGE 4096
#define PAGE_RUNS 256

// launch expand_runs: --kernel expand_runs --grid 2048 --block 256 --arg u8[524288]=1..32 --arg i32[524288]=0..1000000 --arg i32[8388608] --arg i32[2048]
// Column stores: decodes pages of (length, value) runs into 4096 rows each; lengths are summed up, the heads of runs
// marked in shared memory, and a running maximum spreads each run over its rows; one block for a page.
__global__ void __launch_bounds__(256) expand_runs(const unsigned char* lengths, const int* values, int* rows, int* row_counts)
{
    __shared__ unsigned short owner[PAGE];
    __shared__ int value[PAGE_RUNS];
    __shared__ int of_warp[8];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int run = blockIdx.x * PAGE_RUNS + t;
    int length = lengths[run];
    value[t] = values[run];
    for (int i = t; i < PAGE / 2; i += 256) reinterpret_cast<unsigned*>(owner)[i] = 0u;

    int end = length;
    for (int o = 1; o < 32; o <<= 1) {
        int v = __shfl_up_sync(0xffffffffu, end, o);
        if (lane >= o) end += v;
    }
    if (lane == 31) of_warp[warp] = end;
    __syncthreads();
    int total = 0;
    for (int w = 0; w < 8; w++) {
        int v = of_warp[w];
        if (w < warp) end += v;
        total += v;
    }
    int start = end - length;
    if (start < PAGE && length > 0) owner[start] = (unsigned short)t;
    __syncthreads();

    // 16 consecutive rows a thread
    uint4* mine = reinterpret_cast<uint4*>(owner + t * 16);
    uint4 q[2] = {mine[0], mine[1]};
    unsigned short* own = reinterpret_cast<unsigned short*>(q);
    int running = 0;
#pragma unroll
    for (int k = 0; k < 16; k++) {
        running = max(running, (int)own[k]);
        own[k] = (unsigned short)running;
    }
    int upto = running;
    for (int o = 1; o < 32; o <<= 1) {
        int v = __shfl_up_sync(0xffffffffu, upto, o);
        if (lane >= o) upto = max(upto, v);
    }
    if (lane == 31) of_warp[warp] = upto;
    __syncthreads();
    int before = __shfl_up_sync(0xffffffffu, upto, 1);
    if (lane == 0) before = 0;
    for (int w = 0; w < warp; w++) before = max(before, of_warp[w]);
#pragma unroll
    for (int k = 0; k < 16; k++) own[k] = (unsigned short)max((int)own[k], before);
    mine[0] = q[0];
    mine[1] = q[1];
    __syncthreads();

    int filled = min(total, PAGE);
    int* page = rows + (size_t)blockIdx.x * PAGE;
    for (int i = t; i < PAGE; i += 256) page[i] = i < filled ? value[owner[i]] : 0;
    if (t == 0) row_counts[blockIdx.x] = filled;
}

// launch light_recurrence: --kernel light_recurrence --grid 256 --block 128 --arg f16[12582912]=-2..2 --arg f16[4194304]=-1..1 --arg f32[1024]=-1..1 --arg f32[32768]=-1..1 --arg u8[8192]=0..7 --arg f16[4194304] --arg f32[32768] --arg i32:128 --arg i32:64 --arg i32:512
// Speech and language: the element-wise part of a simple recurrent unit (forget and reset gates, highway), padded steps
// passed over; a thread follows one channel of one sequence through time.
__global__ void light_recurrence(const __half* __restrict__ projected, const __half* __restrict__ input, const float* __restrict__ bias,
                                 const float* __restrict__ state_in, const unsigned char* __restrict__ mask,
                                 __half* __restrict__ output, float* __restrict__ state_out, int steps, int batch, int width)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int columns = batch * width;
    if (column >= columns) return;
    int sequence = column / width;
    int channel = column - sequence * width;
    float bias_f = bias[channel];
    float bias_r = bias[width + channel];
    float c = state_in[column];
    const __half* u = projected + 3 * (size_t)column;
    const __half* x = input + column;
    __half* h = output + column;
    for (int t = 0; t < steps; t++) {
        bool padded = mask[t * batch + sequence] == 0;
        if (padded) {
            *h = __float2half(0.0f);
        } else {
            float xt = __half2float(*x);
            float candidate = __half2float(u[0]);
            float f = 1.0f / (1.0f + __expf(-(__half2float(u[1]) + bias_f)));
            float r = 1.0f / (1.0f + __expf(-(__half2float(u[2]) + bias_r)));
            c = candidate + (c - candidate) * f;
            float value = tanhf(c);
            *h = __float2half((value - xt) * r + xt);
        }
        u += 3 * (size_t)columns;
        x += columns;
        h += columns;
    }
    state_out[column] = c;
}

__device__ __forceinline__ float4 turned(float4 a, float4 b)
{
    return make_float4(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                       a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                       a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                       a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

__device__ __forceinline__ float4 from_lane_before(float4 q, int o)
{
    q.x = __shfl_up_sync(0xffffffffu, q.x, o);
    q.y = __shfl_up_sync(0xffffffffu, q.y, o);
    q.z = __shfl_up_sync(0xffffffffu, q.z, o);
    q.w = __shfl_up_sync(0xffffffffu, q.w, o);
    return q;
}

// launch headings_from_gyro: --kernel headings_from_gyro --grid 1056 --block 256 --arg f32[6488064]=-3..3 --arg f32[4224]=0.5..0.5 --arg f32[8650752] --arg f32:0.005
// Motion capture: integrates angular rates into orientations, a running product of quaternions that do not commute;
// one block for a recording of 2048 samples, eight in a row for each thread.
__global__ void __launch_bounds__(256) headings_from_gyro(const float* __restrict__ rates, const float4* __restrict__ start,
                                                          float4* __restrict__ orientation, float dt)
{
    __shared__ float4 of_warp[8];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    size_t first = (size_t)blockIdx.x * 2048 + threadIdx.x * 8;
    const float4* in = reinterpret_cast<const float4*>(rates + 3 * first);
    float v[24];
#pragma unroll
    for (int k = 0; k < 6; k++) {
        float4 f = in[k];
        v[4 * k] = f.x;
        v[4 * k + 1] = f.y;
        v[4 * k + 2] = f.z;
        v[4 * k + 3] = f.w;
    }
    float4 steps[8];
    float4 all;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float x = v[3 * k], y = v[3 * k + 1], z = v[3 * k + 2];
        float rate = sqrtf(x * x + y * y + z * z);
        float s, c;
        __sincosf(0.5f * dt * rate, &s, &c);
        float f = rate > 1e-6f ? s / rate : 0.5f * dt;
        float4 q = make_float4(x * f, y * f, z * f, c);
        all = k == 0 ? q : turned(all, q);
        steps[k] = all;
    }
    for (int o = 1; o < 32; o <<= 1) {
        float4 before = from_lane_before(all, o);
        if (lane >= o) all = turned(before, all);
    }
    if (lane == 31) of_warp[warp] = all;
    __syncthreads();
    float4 lead = start[blockIdx.x];
    for (int w = 0; w < warp; w++) lead = turned(lead, of_warp[w]);
    float4 before = from_lane_before(all, 1);
    if (lane > 0) lead = turned(lead, before);
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float4 q = turned(lead, steps[k]);
        float n = rsqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
        orientation[first + k] = make_float4(q.x * n, q.y * n, q.z * n, q.w * n);
    }
}
