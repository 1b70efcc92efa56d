// Sorting: hits of a detector by time, marks by a beginner, the best experts of a token, and addresses of 128 bits.
#include <cuda_fp16.h>

// launch hits_by_time: --kernel hits_by_time --grid 3334 --block 192 --arg f32[2560000]=0..1000 --arg i32[20000]=0..128 --arg f32[2560000] --arg i32[2560000] --arg i32:20000
// Particle physics: up to 128 hits of each of 20,000 events are put in order of time, a warp an event, four a lane.
// A bitonic network in registers and shuffles over words of 64 bits; short events need fewer of its stages.
__global__ void __launch_bounds__(192) hits_by_time(const float* __restrict__ times, const int* __restrict__ lengths,
                                                    float* __restrict__ sorted, int* __restrict__ order, int events) {
    int event = (blockIdx.x * 192 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (event >= events) return;
    int many = lengths[event], first = event * 128;
    unsigned long long keys[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int e = k * 32 + lane;
        keys[k] = e < many ? (unsigned long long)__float_as_uint(times[first + e]) << 32 | (unsigned)e : ~0ull;
    }
#pragma unroll
    for (int size = 2; size <= 128; size *= 2) {
        if (size <= 32 || many > size / 2) {
#pragma unroll
            for (int step = size / 2; step > 0; step /= 2) {
                if (step >= 32) {
                    const int apart = step / 32;
#pragma unroll
                    for (int k = 0; k < 4; ++k) {
                        if ((k & apart) != 0) continue;
                        unsigned long long a = keys[k], b = keys[k | apart];
                        bool up = (k * 32 & size) == 0;
                        keys[k] = (a < b) == up ? a : b;
                        keys[k | apart] = (a < b) == up ? b : a;
                    }
                } else {
#pragma unroll
                    for (int k = 0; k < 4; ++k) {
                        unsigned long long mine = keys[k], other = __shfl_xor_sync(~0u, mine, step);
                        bool up = ((k * 32 + lane) & size) == 0, low = (lane & step) == 0;
                        keys[k] = (up == low) == (mine < other) ? mine : other;
                    }
                }
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int e = k * 32 + lane;
        if (e < many) {
            sorted[first + e] = __uint_as_float((unsigned)(keys[k] >> 32));
            order[first + e] = (int)(unsigned)keys[k];
        }
    }
}

// launch marks_by_selection: --kernel marks_by_selection --grid 313 --block 128 --arg i32[1120000]=0..100 --arg i32[1120000] --arg i32:40000 --arg i32:28
// Schools: the marks of 28 pupils in each of 40,000 classes, best first, as a beginner sorts them.
// A thread has a class, and looks for the best of those that are left, in global memory.
__global__ void marks_by_selection(const int* marks, int* sorted, int classes, int pupils) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < classes) {
        for (int i = 0; i < pupils; i++) sorted[c * pupils + i] = marks[c * pupils + i];
        for (int i = 0; i < pupils - 1; i++) {
            int best = i;
            for (int j = i + 1; j < pupils; j++) {
                if (sorted[c * pupils + j] > sorted[c * pupils + best]) best = j;
            }
            if (best != i) {
                int mark = sorted[c * pupils + i];
                sorted[c * pupils + i] = sorted[c * pupils + best];
                sorted[c * pupils + best] = mark;
            }
        }
    }
}

// launch route_experts: --kernel route_experts --grid 4096 --block 256 --arg f16[8388608]=-4..4 --arg f32[256]=0..0.1 --arg i32[262144] --arg f16[262144] --arg i32:32768
// Mixture of experts: each of 32,768 tokens goes to the eight of 256 experts that score best, and how much of it to each.
// A warp has a token, eight scores a lane; eight times the best of all is found and taken away.
__global__ void __launch_bounds__(256) route_experts(const half* __restrict__ logits, const float4* __restrict__ biases,
                                                     int* __restrict__ experts, half* __restrict__ shares, int tokens) {
    int token = (blockIdx.x * 256 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (token >= tokens) return;
    uint4 eight = ((const uint4*)logits)[token * 32 + lane];
    float4 b0 = biases[2 * lane], b1 = biases[2 * lane + 1];
    float2 l0 = __half22float2(*(const half2*)&eight.x), l1 = __half22float2(*(const half2*)&eight.y);
    float2 l2 = __half22float2(*(const half2*)&eight.z), l3 = __half22float2(*(const half2*)&eight.w);
    const float bias[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
    const float logit[8] = {l0.x, l0.y, l1.x, l1.y, l2.x, l2.y, l3.x, l3.y};
    float scores[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) scores[k] = bias[k] + 1.0f / (1.0f + __expf(-logit[k]));
    int chosen = 0;
    float weight = 0;
#pragma unroll
    for (int round = 0; round < 8; ++round) {
        float best = scores[0], offset = bias[0];
        int which = 0;
#pragma unroll
        for (int k = 1; k < 8; ++k)
            if (scores[k] > best) best = scores[k], offset = bias[k], which = k;
        unsigned bits = __float_as_uint(best), top = __reduce_max_sync(~0u, bits);
        int winner = __ffs((int)__ballot_sync(~0u, bits == top)) - 1;
        int expert = __shfl_sync(~0u, lane * 8 + which, winner);
        float plain = __shfl_sync(~0u, best - offset, winner);
        if (lane == round) chosen = expert, weight = plain;
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (lane == winner && k == which) scores[k] = 0;
    }
    float sum = weight;
#pragma unroll
    for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane < 8) {
        experts[token * 8 + lane] = chosen;
        shares[token * 8 + lane] = __float2half(weight / sum);
    }
}

__device__ bool address_before(uint4 a, uint4 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    if (a.z != b.z) return a.z < b.z;
    return a.w < b.w;
}

// launch sort_addresses: --kernel sort_addresses --grid 750 --block 512 --arg u32[3072000]=0..7 --arg u32[3072000] --arg u32[750]
// Networks: addresses of 128 bits, many of which begin alike, are sorted by blocks of 1,024, and the distinct ones counted.
// A bitonic network in shared memory, sixteen bytes a key, compared a word at a time.
__global__ void __launch_bounds__(512) sort_addresses(const uint4* __restrict__ in, uint4* __restrict__ out,
                                                      unsigned* __restrict__ distinct) {
    __shared__ uint4 held[1024];
    int t = threadIdx.x, first = blockIdx.x * 1024;
    held[t] = in[first + t];
    held[t + 512] = in[first + t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (step - 1)), high = low + step;
            uint4 a = held[low], b = held[high];
            if (address_before(b, a) == ((low & size) == 0)) {
                held[low] = b;
                held[high] = a;
            }
        }
    __syncthreads();
    int fresh = 0;
    for (int i = t; i < 1024; i += 512) {
        uint4 mine = held[i];
        out[first + i] = mine;
        fresh += __syncthreads_count(i == 0 || address_before(held[max(i - 1, 0)], mine));
    }
    if (t == 0) distinct[blockIdx.x] = (unsigned)fresh;
}
