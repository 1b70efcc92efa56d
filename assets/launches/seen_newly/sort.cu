// Four of sorting and selection: the 32 nearest by filtered warp lists, quantiles of rows by bisection of bits, a radix sort of blocks by nibbles, and transparent fragments sorted by depth.
#include <cuda_fp16.h>

__device__ __forceinline__ void exchange_lanes(float& key, int& value, int distance, bool keep_small)
{
    float k = __shfl_xor_sync(0xffffffffu, key, distance);
    int v = __shfl_xor_sync(0xffffffffu, value, distance);
    if (keep_small ? k < key : k > key) {
        key = k;
        value = v;
    }
}

// launch best_32_by_warp: --kernel best_32_by_warp --grid 512 --block 128 --arg f32[4096000]=0..4 --arg f32[65536] --arg i32[65536] --arg i32:2048 --arg i32:2000
// Vector search: the 32 smallest distances of each query, in order. A warp a query: what is under the limit is gathered in shared memory,
// and when 32 are there they are sorted and merged into the list that lies across the lanes.
__global__ void best_32_by_warp(const float* __restrict__ distances, float* __restrict__ best_distance, int* __restrict__ best_index,
                                int queries, int candidates)
{
    __shared__ float wait_key[4][64];
    __shared__ int wait_index[4][64];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int query = blockIdx.x * 4 + warp;
    if (query >= queries) return;
    const float* row = distances + (size_t)query * candidates;
    const float none = __int_as_float(0x7f800000);
    float best = none;
    int best_at = -1;
    float limit = none;
    int waiting = 0;
    const int rounds = (candidates + 31) / 32;
    for (int i = 0; i <= rounds; ++i) {
        if (i < rounds) {
            int c = i * 32 + lane;
            float d = c < candidates ? row[c] : none;
            bool wanted = d < limit;
            unsigned votes = __ballot_sync(0xffffffffu, wanted);
            if (votes == 0) continue;
            if (wanted) {
                int at = waiting + __popc(votes & ((1u << lane) - 1));
                wait_key[warp][at] = d;
                wait_index[warp][at] = c;
            }
            waiting += __popc(votes);
            __syncwarp();
            if (waiting < 32) continue;
        }
        float key = lane < waiting ? wait_key[warp][lane] : none;
        int index = lane < waiting ? wait_index[warp][lane] : -1;
        // the rest moves down
        int rest = waiting - 32;
        float moved = 0.f;
        int moved_index = 0;
        if (lane < rest) {
            moved = wait_key[warp][32 + lane];
            moved_index = wait_index[warp][32 + lane];
        }
        __syncwarp();
        if (lane < rest) {
            wait_key[warp][lane] = moved;
            wait_index[warp][lane] = moved_index;
        }
        __syncwarp();
        waiting = max(rest, 0);
        // falling order
#pragma unroll
        for (int size = 2; size <= 32; size <<= 1)
#pragma unroll
            for (int d = size >> 1; d > 0; d >>= 1)
                exchange_lanes(key, index, d, ((lane & d) != 0) == ((lane & size) == 0));
        if (key < best) {
            best = key;
            best_at = index;
        }
#pragma unroll
        for (int d = 16; d > 0; d >>= 1) exchange_lanes(best, best_at, d, (lane & d) == 0);
        limit = __shfl_sync(0xffffffffu, best, 31);
    }
    best_distance[query * 32 + lane] = best;
    best_index[query * 32 + lane] = best_at;
}

// launch quantile_by_bisection: --kernel 'quantile_by_bisection<16>' --grid 625 --block 256 --arg f32[2560000]=-10..10 --arg f32[5000] --arg i32:5000 --arg i32:512 --arg f32:0.9
// Statistics: an interpolated quantile of each row of 512. A warp a row keeps it in registers as ordered whole numbers and finds the
// bits of the answer from the top by counting what is below.
template <int PER_LANE>
__global__ void quantile_by_bisection(const float* __restrict__ data, float* __restrict__ quantile, int rows, int length, float q)
{
    const int lane = threadIdx.x & 31;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= rows) return;
    unsigned key[PER_LANE];
#pragma unroll
    for (int i = 0; i < PER_LANE; ++i) {
        int c = i * 32 + lane;
        unsigned u = c < length ? __float_as_uint(data[(size_t)row * length + c]) : 0x7fffffffu;
        key[i] = u ^ ((u >> 31) ? 0xffffffffu : 0x80000000u);
    }
    const float place = q * (length - 1);
    const int k = (int)place;
    unsigned answer = 0;
    for (int bit = 31; bit >= 0; --bit) {
        unsigned trial = answer | (1u << bit);
        int below = 0;
#pragma unroll
        for (int i = 0; i < PER_LANE; ++i) below += key[i] < trial;
        if ((int)__reduce_add_sync(0xffffffffu, (unsigned)below) <= k) answer = trial;
    }
    int upto = 0;
    unsigned next = 0xffffffffu;
#pragma unroll
    for (int i = 0; i < PER_LANE; ++i) {
        if (key[i] <= answer) ++upto;
        else next = min(next, key[i]);
    }
    upto = (int)__reduce_add_sync(0xffffffffu, (unsigned)upto);
    next = __reduce_min_sync(0xffffffffu, next);
    if (upto > k + 1) next = answer;
    if (lane == 0) {
        float a = __uint_as_float(answer ^ ((answer >> 31) ? 0x80000000u : 0xffffffffu));
        float b = __uint_as_float(next ^ ((next >> 31) ? 0x80000000u : 0xffffffffu));
        float f = place - k;
        quantile[row] = f > 0.f ? a + f * (b - a) : a;
    }
}

// launch block_nibble_sort: --kernel block_nibble_sort --grid 500 --block 256 --arg u32[1024000]=0..16777215 --arg u32[1024000]=0..999999 --arg u32[1024000] --arg u32[1024000] --arg i32:24
// Libraries of primitives: sorts each segment of 2048 keys with their values by 4 bits at a time. A block a segment, 8 keys a thread;
// every thread has 16 counters of two bytes in shared memory, which are scanned two at once.
__global__ void __launch_bounds__(256) block_nibble_sort(const unsigned* __restrict__ keys_in, const unsigned* __restrict__ values_in,
                                                         unsigned* __restrict__ keys_out, unsigned* __restrict__ values_out, int bits)
{
    __shared__ unsigned counters[8 * 256];
    __shared__ unsigned exchange[2048];
    __shared__ unsigned warp_total[8];
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    unsigned key[8], value[8];
    const uint4* k4 = reinterpret_cast<const uint4*>(keys_in + blockIdx.x * 2048) + t * 2;
    const uint4* v4 = reinterpret_cast<const uint4*>(values_in + blockIdx.x * 2048) + t * 2;
    uint4 a = k4[0], b = k4[1], c = v4[0], d = v4[1];
    key[0] = a.x; key[1] = a.y; key[2] = a.z; key[3] = a.w; key[4] = b.x; key[5] = b.y; key[6] = b.z; key[7] = b.w;
    value[0] = c.x; value[1] = c.y; value[2] = c.z; value[3] = c.w; value[4] = d.x; value[5] = d.y; value[6] = d.z; value[7] = d.w;
    unsigned short* halves = reinterpret_cast<unsigned short*>(counters);

    for (int shift = 0; shift < bits; shift += 4) {
        int rank[8], slot[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) counters[i * 256 + t] = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            unsigned digit = (key[i] >> shift) & 15u;
            slot[i] = ((digit & 7) * 256 + t) * 2 + (digit >> 3);
            rank[i] = halves[slot[i]];
            halves[slot[i]] = (unsigned short)(rank[i] + 1);
        }
        __syncthreads();
        unsigned part[8], sum = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            part[i] = counters[t * 8 + i];
            sum += part[i];
        }
        unsigned inclusive = sum;
#pragma unroll
        for (int s = 1; s < 32; s <<= 1) {
            unsigned up = __shfl_up_sync(0xffffffffu, inclusive, s);
            if (lane >= s) inclusive += up;
        }
        if (lane == 31) warp_total[warp] = inclusive;
        __syncthreads();
        unsigned total = 0, prefix = inclusive - sum;
#pragma unroll
        for (int w = 0; w < 8; ++w) {
            unsigned v = warp_total[w];
            if (w < warp) prefix += v;
            total += v;
        }
        prefix += total << 16;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            counters[t * 8 + i] = prefix;
            prefix += part[i];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; ++i) rank[i] += halves[slot[i]];
#pragma unroll
        for (int i = 0; i < 8; ++i) exchange[rank[i]] = key[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; ++i) key[i] = exchange[t * 8 + i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; ++i) exchange[rank[i]] = value[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; ++i) value[i] = exchange[t * 8 + i];
        __syncthreads();
    }
    uint4* ko = reinterpret_cast<uint4*>(keys_out + blockIdx.x * 2048) + t * 2;
    uint4* vo = reinterpret_cast<uint4*>(values_out + blockIdx.x * 2048) + t * 2;
    ko[0] = make_uint4(key[0], key[1], key[2], key[3]);
    ko[1] = make_uint4(key[4], key[5], key[6], key[7]);
    vo[0] = make_uint4(value[0], value[1], value[2], value[3]);
    vo[1] = make_uint4(value[4], value[5], value[6], value[7]);
}

// launch fragments_in_order: --kernel fragments_in_order --grid 40,45 --block 16,8 --arg i32[230400]=0..10 --arg f32[2304000]=0..1 --arg u32[2304000]=0..4294967295 --arg u32[230400]=0..16777215 --arg u32[230400] --arg i32:640 --arg i32:360
// Graphics: order-independent transparency, the fragments of each pixel sorted by depth and blended from the back over the background.
// A thread a pixel, an insertion sort in its column of shared memory.
__global__ void fragments_in_order(const int* count, const float* depth, const unsigned* colour, const unsigned* background,
                                   unsigned* target, int width, int height)
{
    const int MOST = 10;
    __shared__ float s_depth[MOST][128];
    __shared__ unsigned s_colour[MOST][128];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int t = threadIdx.y * 16 + threadIdx.x;
    if (x >= width || y >= height) return;
    const int pixel = y * width + x;
    const int pixels = width * height;
    const int n = min(count[pixel], MOST);
    for (int i = 0; i < n; ++i) {
        float z = depth[i * pixels + pixel];
        unsigned c = colour[i * pixels + pixel];
        int j = i;
        while (j > 0 && s_depth[j - 1][t] < z) {
            s_depth[j][t] = s_depth[j - 1][t];
            s_colour[j][t] = s_colour[j - 1][t];
            --j;
        }
        s_depth[j][t] = z;
        s_colour[j][t] = c;
    }
    unsigned under = background[pixel];
    float r = (under & 255) * (1.f / 255), g = (under >> 8 & 255) * (1.f / 255), b = (under >> 16 & 255) * (1.f / 255);
    for (int i = 0; i < n; ++i) {
        unsigned c = s_colour[i][t];
        float alpha = (c >> 24) * (1.f / 255);
        r += alpha * ((c & 255) * (1.f / 255) - r);
        g += alpha * ((c >> 8 & 255) * (1.f / 255) - g);
        b += alpha * ((c >> 16 & 255) * (1.f / 255) - b);
    }
    unsigned ri = (unsigned)(__saturatef(r) * 255.f + 0.5f);
    unsigned gi = (unsigned)(__saturatef(g) * 255.f + 0.5f);
    unsigned bi = (unsigned)(__saturatef(b) * 255.f + 0.5f);
    target[pixel] = ri | gi << 8 | bi << 16 | 0xff000000u;
}
