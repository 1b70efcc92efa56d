// Sorting: the middle of nine, the step of a radix sort that moves keys, the merge of two lists, and the kth of a row.

__device__ void exchange(unsigned& low, unsigned& high) {
    unsigned least = __vminu4(low, high);
    high = __vmaxu4(low, high);
    low = least;
}

// launch median_nine: --kernel median_nine --grid 16,1024 --block 64,4 --arg u8[16777216]=0..255 --arg u8[16777216] --arg i32:1024 --arg i32:4096
// A median filter of 3 x 3 on a grey picture: four pixels a thread in one word, nineteen exchanges for all four.
__global__ void median_nine(const unsigned char* __restrict__ in_bytes,
                              unsigned char* __restrict__ out_bytes,
                              int words,
                              int height) {
    const unsigned* in = (const unsigned*)in_bytes;
    unsigned* out = (unsigned*)out_bytes;
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    unsigned v[9];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        const unsigned* row = in + min(max(y + k - 1, 0), height - 1) * words;
        unsigned left = row[max(x - 1, 0)], here = row[x], right = row[min(x + 1, words - 1)];
        v[3 * k] = __funnelshift_l(left, here, 8);
        v[3 * k + 1] = here;
        v[3 * k + 2] = __funnelshift_r(here, right, 8);
    }
    exchange(v[1], v[2]), exchange(v[4], v[5]), exchange(v[7], v[8]);
    exchange(v[0], v[1]), exchange(v[3], v[4]), exchange(v[6], v[7]);
    exchange(v[1], v[2]), exchange(v[4], v[5]), exchange(v[7], v[8]);
    exchange(v[0], v[3]), exchange(v[5], v[8]), exchange(v[4], v[7]);
    exchange(v[3], v[6]), exchange(v[1], v[4]), exchange(v[2], v[5]);
    exchange(v[4], v[7]), exchange(v[4], v[2]), exchange(v[6], v[4]);
    exchange(v[4], v[2]);
    out[y * words + x] = v[4];
}

// launch radix_scatter: --kernel radix_scatter --grid 4096 --block 256 --arg u8[16777216]=0..255 --arg u32[1048576]=0+4 --arg u32[4195328] --arg i32:8
// The last part of a pass of a radix sort: keys find their rank among equal digits of the block, by matching in the warp
// and counters of each warp, and go to their place in all of memory.
__global__ void radix_scatter(const unsigned char* __restrict__ keys_bytes,
                              const unsigned* __restrict__ offsets,
                              unsigned* __restrict__ out,
                              int shift) {
    const unsigned* keys = (const unsigned*)keys_bytes;
    __shared__ unsigned counts[8][256];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned mine[4], ranks[4];
#pragma unroll
    for (int k = 0; k < 8; ++k) counts[k][t] = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) mine[k] = keys[blockIdx.x * 1024 + warp * 128 + k * 32 + lane];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        unsigned digit = mine[k] >> shift & 255, peers = __match_any_sync(~0u, digit);
        unsigned before = __popc(peers & ((1u << lane) - 1)), base = counts[warp][digit];
        __syncwarp();
        if (before == 0) counts[warp][digit] = base + __popc(peers);
        __syncwarp();
        ranks[k] = base + before;
    }
    __syncthreads();
    unsigned base = offsets[t * gridDim.x + blockIdx.x];
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        unsigned count = counts[w][t];
        counts[w][t] = base;
        base += count;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) out[counts[warp][mine[k] >> shift & 255] + ranks[k]] = mine[k];
}

__device__ int merge_begin(const int* a, int of_a, const int* b, int of_b, int diagonal) {
    int low = max(0, diagonal - of_b), high = min(diagonal, of_a);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    return low;
}

// launch merge_path: --kernel merge_path --grid 4096 --block 256 --arg i32[4194304]=0+3 --arg i32[4194304]=0+4 --arg i32[8388608] --arg i32:4194304
// Two sorted lists become one: a block finds where its 2,048 results begin and end in both, copies them into shared
// memory, and each thread merges eight.
__global__ void merge_path(const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ out, int n) {
    __shared__ int held[2048], begins[2];
    int t = threadIdx.x, diagonal = blockIdx.x * 2048;
    if (t < 2) begins[t] = merge_begin(a, n, b, n, diagonal + t * 2048);
    __syncthreads();
    int begin_a = begins[0], of_a = begins[1] - begin_a, begin_b = diagonal - begin_a, of_b = 2048 - of_a;
    for (int i = t; i < 2048; i += 256) held[i] = i < of_a ? a[begin_a + i] : b[begin_b + i - of_a];
    __syncthreads();
    const int *part_a = held, *part_b = held + of_a;
    int i = merge_begin(part_a, of_a, part_b, of_b, t * 8), j = t * 8 - i, mine[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        bool from_a = j >= of_b || (i < of_a && part_a[i] <= part_b[j]);
        mine[k] = from_a ? part_a[i] : part_b[j];
        if (from_a) ++i;
        else ++j;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) held[t * 8 + k] = mine[k];
    __syncthreads();
    for (int i = t; i < 2048; i += 256) out[diagonal + i] = held[i];
}

// launch select_kth: --kernel select_kth --grid 2048 --block 1024 --arg f32[16777216]=-1..1 --arg f32[2048] --arg u32:64
// The kth largest of each row of 8,192, which stays in registers: four rounds of counting a digit of eight bits among
// those that are still in question.
__global__ void __launch_bounds__(1024) select_kth(const float* __restrict__ in, float* __restrict__ out, unsigned k) {
    __shared__ unsigned counts[256], digit, left;
    int t = threadIdx.x;
    unsigned keys[8], prefix = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        unsigned bits = __float_as_uint(in[blockIdx.x * 8192 + j * 1024 + t]);
        keys[j] = bits >> 31 ? ~bits : bits | 0x80000000u;
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (t < 256) counts[t] = 0;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 8; ++j)
            if ((unsigned long long)keys[j] >> (shift + 8) == prefix) atomicAdd(&counts[keys[j] >> shift & 255], 1u);
        __syncthreads();
        if (t < 32) {
            unsigned mine[8], sum = 0;
#pragma unroll
            for (int j = 0; j < 8; ++j) sum += mine[j] = counts[255 - 8 * t - j];
            unsigned up_to = sum;
#pragma unroll
            for (int step = 1; step < 32; step *= 2) {
                unsigned above = __shfl_up_sync(~0u, up_to, step);
                if (t >= step) up_to += above;
            }
            unsigned before = up_to - sum;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (before < k && before + mine[j] >= k) digit = 255 - 8 * t - j, left = k - before;
                before += mine[j];
            }
        }
        __syncthreads();
        prefix = prefix << 8 | digit;
        k = left;
    }
    if (t == 0) out[blockIdx.x] = __uint_as_float(prefix >> 31 ? prefix & 0x7fffffffu : ~prefix);
}
