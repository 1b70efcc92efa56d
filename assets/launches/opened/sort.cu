// Sorting: by digits and by merging inside a block, the largest of a row, and a step of a network over all of memory.

// launch radix_pairs: --kernel radix_pairs --grid 2048 --block 256 --arg u32[2097152] --arg u32[2097152] --arg u32[2097152] --arg u32[2097152]
// 1,024 keys with values in a block, four bits at a time: counters of each thread for each digit, and their scan.
__global__ void radix_pairs(const uint4* __restrict__ in_keys, const uint4* __restrict__ in_values,
                            unsigned* __restrict__ out_keys, unsigned* __restrict__ out_values) {
    __shared__ unsigned counts[16 * 256], held_keys[1024], held_values[1024], of_warps[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    uint4 k4 = in_keys[blockIdx.x * 256 + t], v4 = in_values[blockIdx.x * 256 + t];
    unsigned keys[4] = {k4.x, k4.y, k4.z, k4.w}, values[4] = {v4.x, v4.y, v4.z, v4.w}, ranks[4];
    for (int shift = 0; shift < 32; shift += 4) {
#pragma unroll
        for (int d = 0; d < 16; ++d) counts[d * 256 + t] = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) ranks[k] = counts[(keys[k] >> shift & 15) * 256 + t]++;
        __syncthreads();
        unsigned sum = 0;
        for (int k = 0; k < 16; ++k) sum += counts[t * 16 + k];
        unsigned up_to = sum;
        for (int step = 1; step < 32; step *= 2) {
            unsigned left = __shfl_up_sync(~0u, up_to, step);
            if (lane >= step) up_to += left;
        }
        if (lane == 31) of_warps[warp] = up_to;
        __syncthreads();
        unsigned base = up_to - sum;
        for (int w = 0; w < warp; ++w) base += of_warps[w];
        for (int k = 0; k < 16; ++k) {
            unsigned count = counts[t * 16 + k];
            counts[t * 16 + k] = base;
            base += count;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned place = counts[(keys[k] >> shift & 15) * 256 + t] + ranks[k];
            held_keys[place] = keys[k];
            held_values[place] = values[k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; ++k) keys[k] = held_keys[t * 4 + k], values[k] = held_values[t * 4 + k];
    }
    for (int i = t; i < 1024; i += 256) {
        out_keys[blockIdx.x * 1024 + i] = held_keys[i];
        out_values[blockIdx.x * 1024 + i] = held_values[i];
    }
}

// launch merge_sort_block: --kernel merge_sort_block --grid 2048 --block 256 --arg f32[4194304]=-1..1 --arg f32[4194304]
// Eight in each thread's registers, then runs of twice the length: each thread finds where its eight begin in both.
__global__ void merge_sort_block(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float held[2048];
    int t = threadIdx.x;
    for (int i = t; i < 2048; i += 256) held[i] = in[blockIdx.x * 2048 + i];
    __syncthreads();
    float mine[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) mine[k] = held[t * 8 + k];
#pragma unroll
    for (int round = 0; round < 8; ++round)
#pragma unroll
        for (int k = round % 2; k + 1 < 8; k += 2) {
            float low = fminf(mine[k], mine[k + 1]);
            mine[k + 1] = fmaxf(mine[k], mine[k + 1]);
            mine[k] = low;
        }
    for (int run = 8; run < 2048; run *= 2) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) held[t * 8 + k] = mine[k];
        __syncthreads();
        int begin = t * 8 / (2 * run) * (2 * run), diagonal = t * 8 - begin;
        const float *a = held + begin, *b = held + begin + run;
        int low = max(0, diagonal - run), high = min(diagonal, run);
        while (low < high) {
            int middle = (low + high) / 2;
            if (a[middle] <= b[diagonal - 1 - middle]) low = middle + 1;
            else high = middle;
        }
        int i = low, j = diagonal - low;
        for (int k = 0; k < 8; ++k) {
            bool from_a = j >= run || (i < run && a[i] <= b[j]);
            mine[k] = from_a ? a[i++] : b[j++];
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) held[t * 8 + k] = mine[k];
    __syncthreads();
    for (int i = t; i < 2048; i += 256) out[blockIdx.x * 2048 + i] = held[i];
}

// launch largest_of_rows: --kernel largest_of_rows --grid 1024 --block 128 --arg f32[16777216]=-1..1 --arg f32[131072] --arg i32:4096
// The 32 largest of each row, one a lane: 32 more are sorted and merged in only where one of them gets in.
__global__ void largest_of_rows(const float* __restrict__ in, float* __restrict__ out, int cols) {
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float best = -1e30f, least = -1e30f;
    for (int col = lane; col < cols; col += 32) {
        float x = in[row * cols + col];
        if (!__any_sync(~0u, x > least)) continue;
        for (int size = 2; size <= 32; size *= 2)
            for (int step = size / 2; step > 0; step /= 2) {
                float other = __shfl_xor_sync(~0u, x, step);
                bool up = (lane & size) == 0 || size == 32, lower = (lane & step) == 0;
                x = up == lower ? fminf(x, other) : fmaxf(x, other);
            }
        best = fmaxf(best, x);
        for (int step = 16; step > 0; step /= 2) {
            float other = __shfl_xor_sync(~0u, best, step);
            best = (lane & step) == 0 ? fmaxf(best, other) : fminf(best, other);
        }
        least = __shfl_sync(~0u, best, 31);
    }
    out[row * 32 + lane] = best;
}

// launch bitonic_far_step: --kernel bitonic_far_step --grid 8192 --block 512 --arg u32[8388608] --arg u32[8388608] --arg u32[8388608] --arg u32[8388608] --arg u32:2097152 --arg u32:1048576
// One step of the network over all keys: pairs that lie far apart, each with its value.
__global__ void bitonic_far_step(const unsigned* __restrict__ keys, const unsigned* __restrict__ values,
                                 unsigned* __restrict__ out_keys, unsigned* __restrict__ out_values, unsigned size,
                                 unsigned step) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = 2 * i - (i & (step - 1)), b = a + step;
    unsigned key_a = keys[a], key_b = keys[b], value_a = values[a], value_b = values[b];
    bool up = (a & size) == 0;
    if ((key_a > key_b) == up) {
        unsigned key = key_a, value = value_a;
        key_a = key_b, key_b = key;
        value_a = value_b, value_b = value;
    }
    out_keys[a] = key_a;
    out_keys[b] = key_b;
    out_values[a] = value_a;
    out_values[b] = value_b;
}
