// Sorting: by insertion, by counting, the nearest of many by a warp, and ranks by matching lanes.

// launch insertion_lists: --kernel insertion_lists --grid 1280 --block 128 --arg f32[3932160]=0..1 --arg f32[3932160] --arg i32:163840
// Ray tracing of glass: each thread sorts its own list of 24 depths by insertion, in shared memory.
__global__ void insertion_lists(const float* __restrict__ in, float* __restrict__ out, int lists) {
    __shared__ float held[24][128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    for (int k = 0; k < 24; ++k) held[k][t] = in[k * lists + i];
    for (int k = 1; k < 24; ++k) {
        float x = held[k][t];
        int at = k - 1;
        while (at >= 0) {
            float y = held[at][t];
            if (y <= x) break;
            held[at + 1][t] = y;
            --at;
        }
        held[at + 1][t] = x;
    }
    for (int k = 0; k < 24; ++k) out[k * lists + i] = held[k][t];
}

// launch counting_bytes: --kernel counting_bytes --grid 1600 --block 256 --arg u8[13107200]=0..255 --arg u8[13107200]
// Counting sort of 8,192 bytes a block: counters in shared memory, a scan, then each value is written out as often as it came.
__global__ void counting_bytes(const uint4* __restrict__ in, uint4* __restrict__ out) {
    __shared__ __align__(16) unsigned char sorted[8192];
    __shared__ unsigned counts[256], of_warps[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    counts[t] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        uint4 v = in[blockIdx.x * 512 + i * 256 + t];
        unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 16; ++k) atomicAdd(&counts[words[k / 4] >> k % 4 * 8 & 255], 1u);
    }
    __syncthreads();
    unsigned mine = counts[t], sum = mine;
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    unsigned at = sum - mine;
    for (int w = 0; w < warp; ++w) at += of_warps[w];
    for (unsigned k = 0; k < mine; ++k) sorted[at + k] = t;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2; ++i) out[blockIdx.x * 512 + i * 256 + t] = ((uint4*)sorted)[i * 256 + t];
}

// launch nearest_of_list: --kernel nearest_of_list --grid 384 --block 128 --arg f32[6291456]=0..1000 --arg f32[49152] --arg i32[49152] --arg i32:4096
// Similarity search: the 32 smallest of 4,096 distances a query; a warp has a query.
// A chunk that has something better is sorted over the lanes and merged with the best so far.
__global__ void __launch_bounds__(128) nearest_of_list(const float* __restrict__ distances, float* __restrict__ best,
                                                       int* __restrict__ which, int n) {
    int lane = threadIdx.x % 32, query = blockIdx.x * 4 + threadIdx.x / 32;
    const float* row = distances + (size_t)query * n;
    float kept = 1e30f;
    int from = -1;
    for (int first = 0; first < n; first += 32) {
        float x = row[first + lane];
        int at = first + lane;
        float limit = __shfl_sync(~0u, kept, 31);
        if (!__any_sync(~0u, x < limit)) continue;
#pragma unroll
        for (int size = 2; size <= 32; size *= 2)
#pragma unroll
            for (int step = size / 2; step > 0; step /= 2) {
                float other = __shfl_xor_sync(~0u, x, step);
                int its = __shfl_xor_sync(~0u, at, step);
                bool down = (lane & size) != 0, upper = (lane & step) != 0;
                if (upper != down ? other > x : other < x) x = other, at = its;
            }
        float other = __shfl_xor_sync(~0u, x, 31);
        int its = __shfl_xor_sync(~0u, at, 31);
        if (other < kept) kept = other, from = its;
#pragma unroll
        for (int step = 16; step > 0; step /= 2) {
            other = __shfl_xor_sync(~0u, kept, step);
            its = __shfl_xor_sync(~0u, from, step);
            if ((lane & step) != 0 ? other > kept : other < kept) kept = other, from = its;
        }
    }
    best[query * 32 + lane] = kept;
    which[query * 32 + lane] = from;
}

// launch ranks_by_matching: --kernel ranks_by_matching --grid 1800 --block 256 --arg u32[3686400]=0..2000000000 --arg u32[3686400] --arg i32:8
// A step of a radix sort within a block: 2,048 keys in the order of one of their bytes, and stable.
// Lanes with the same byte find each other, and the lowest counts for all of them.
__global__ void __launch_bounds__(256) ranks_by_matching(const unsigned* __restrict__ in, unsigned* __restrict__ out, int shift) {
    __shared__ unsigned counts[8][256], of_warps[8], sorted[2048];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
#pragma unroll
    for (int w = 0; w < 8; ++w) counts[w][t] = 0;
    unsigned keys[8], ranks[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) keys[k] = in[blockIdx.x * 2048 + warp * 256 + k * 32 + lane];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        unsigned digit = keys[k] >> shift & 255, same = __match_any_sync(~0u, digit);
        int leader = __ffs(same) - 1;
        unsigned before = 0;
        if (lane == leader) {
            before = counts[warp][digit];
            counts[warp][digit] = before + __popc(same);
        }
        __syncwarp();
        ranks[k] = __shfl_sync(~0u, before, leader) + __popc(same & ((1u << lane) - 1));
    }
    __syncthreads();
    unsigned mine = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        unsigned its = counts[w][t];
        counts[w][t] = mine;
        mine += its;
    }
    unsigned sum = mine;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    unsigned base = sum - mine;
    for (int w = 0; w < warp; ++w) base += of_warps[w];
#pragma unroll
    for (int w = 0; w < 8; ++w) counts[w][t] += base;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) sorted[counts[warp][keys[k] >> shift & 255] + ranks[k]] = keys[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) out[blockIdx.x * 2048 + k * 256 + t] = sorted[k * 256 + t];
}
