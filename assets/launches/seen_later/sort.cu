// Sorting: counts of digits, buckets by splitters, a network of doubles, and the median of frames.

// launch digit_counts: --kernel digit_counts --grid 3000 --block 256 --arg u8[49152000]=0..255 --arg u32[768000] --arg i32:16
// The first part of a pass of a radix sort: each block counts the digits of 4,096 keys, sixteen a thread.
// Each warp has counters of its own in shared memory; the sums go out digit by digit.
__global__ void digit_counts(const uint4* __restrict__ keys, unsigned* __restrict__ counts, int shift) {
    __shared__ unsigned held[8][256];
    int t = threadIdx.x, warp = t / 32;
#pragma unroll
    for (int w = 0; w < 8; ++w) held[w][t] = 0;
    uint4 mine[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) mine[k] = keys[blockIdx.x * 1024 + k * 256 + t];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        atomicAdd(&held[warp][mine[k].x >> shift & 255], 1u);
        atomicAdd(&held[warp][mine[k].y >> shift & 255], 1u);
        atomicAdd(&held[warp][mine[k].z >> shift & 255], 1u);
        atomicAdd(&held[warp][mine[k].w >> shift & 255], 1u);
    }
    __syncthreads();
    unsigned sum = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) sum += held[w][t];
    counts[t * gridDim.x + blockIdx.x] = sum;
}

// launch splitter_buckets: --kernel splitter_buckets --grid 8192 --block 256 --arg u32[8388608]=0..16777215 --arg i32[256]=0+65536 --arg u8[8388608] --arg u32[2097152]
// Sample sort: which of 256 buckets each key belongs to, by a search among splitters in shared memory.
// A thread searches for four keys at once, without branches, and the block counts its buckets.
__global__ void splitter_buckets(const uint4* __restrict__ keys, const int* __restrict__ splitters,
                                 uchar4* __restrict__ buckets, unsigned* __restrict__ counts) {
    __shared__ unsigned split[256], held[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    split[t] = splitters[t];
    held[t] = 0;
    uint4 four = keys[i];
    unsigned key[4] = {four.x, four.y, four.z, four.w}, place[4] = {};
    __syncthreads();
#pragma unroll
    for (int step = 128; step > 0; step /= 2)
#pragma unroll
        for (int k = 0; k < 4; ++k)
            if (split[place[k] + step] <= key[k]) place[k] += step;
    buckets[i] = make_uchar4(place[0], place[1], place[2], place[3]);
#pragma unroll
    for (int k = 0; k < 4; ++k) atomicAdd(&held[place[k]], 1u);
    __syncthreads();
    counts[blockIdx.x * 256 + t] = held[t];
}

// launch odd_even_merges: --kernel odd_even_merges --grid 1600 --block 512 --arg f64[1638400]=-1..1 --arg f64[1638400]
// Batcher's network of odd-even merges sorts 1,024 doubles a block in shared memory: 55 steps with a barrier each.
__global__ void __launch_bounds__(512) odd_even_merges(const double* __restrict__ in, double* __restrict__ out) {
    __shared__ double held[1024];
    int t = threadIdx.x, first = blockIdx.x * 1024;
    held[t] = in[first + t];
    held[t + 512] = in[first + t + 512];
    for (int size = 1; size < 1024; size *= 2) {
        int inside = t & (size - 1);
        for (int stride = size; stride > 0; stride /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (stride - 1)), high = low + stride;
            bool mine = true;
            if (stride != size) {
                mine = inside >= stride;
                high = low;
                low -= stride;
            }
            if (mine) {
                double a = held[low], b = held[high];
                if (a > b) held[low] = b, held[high] = a;
            }
        }
    }
    __syncthreads();
    out[first + t] = held[t];
    out[first + t + 512] = held[t + 512];
}

// launch median_of_frames: --kernel median_of_frames --grid 3125 --block 320 --arg f32[13000000]=0..1000 --arg f32[1000000] --arg i32:1000000
// Astronomy: the median of thirteen frames, pixel by pixel, so that planes and satellites vanish.
// Each thread sorts just so far in registers that the middle one is right.
__global__ void median_of_frames(const float* __restrict__ frames, float* __restrict__ out, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[13];
#pragma unroll
    for (int k = 0; k < 13; ++k) v[k] = frames[k * pixels + i];
#pragma unroll
    for (int round = 0; round < 7; ++round)
#pragma unroll
        for (int k = 0; k < 12 - round; ++k) {
            float low = fminf(v[k], v[k + 1]);
            v[k + 1] = fmaxf(v[k], v[k + 1]);
            v[k] = low;
        }
    out[i] = v[6];
}
