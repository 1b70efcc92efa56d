// Sorting: small heaps, a partition round a pivot, splats by depth, and the order of suffixes of a text.

// launch heap_of_eight: --kernel heap_of_eight --grid 256 --block 128 --arg f32[12582912]=0..1 --arg f32[262144] --arg i32[262144] --arg i32:32768 --arg i32:384
// Nearest neighbours of scans: each thread keeps the eight smallest of 384 distances in a heap of its own, the largest on top.
// The heap is a local array whose places are worked out as it goes.
__global__ void heap_of_eight(const float* __restrict__ distances, float* __restrict__ best, int* __restrict__ which, int n,
                              int many) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float heap[8];
    int ids[8];
    for (int k = 0; k < 8; ++k) heap[k] = 3e38f, ids[k] = -1;
    for (int c = 0; c < many; ++c) {
        float d = distances[(size_t)c * n + i];
        if (d >= heap[0]) continue;
        int at = 0;
        for (;;) {
            int child = 2 * at + 1;
            if (child >= 8) break;
            if (child + 1 < 8 && heap[child + 1] > heap[child]) ++child;
            if (heap[child] <= d) break;
            heap[at] = heap[child];
            ids[at] = ids[child];
            at = child;
        }
        heap[at] = d;
        ids[at] = c;
    }
    for (int k = 0; k < 8; ++k) {
        best[k * n + i] = heap[k];
        which[k * n + i] = ids[k];
    }
}

// launch three_way_partition: --kernel three_way_partition --grid 2048 --block 256 --arg i32[8388608]=0..99 --arg i32[8388608] --arg i32[2] --arg i32:37 --arg i32:60 --arg i32:8388608
// A step of quicksort: smaller keys go to the front, larger ones to the back, and those between the pivots stay away.
// Sixteen keys a thread; a block asks for its two places with one atomic each.
__global__ void __launch_bounds__(256) three_way_partition(const int4* __restrict__ in, int* __restrict__ out, int* ends, int low,
                                                           int high, int n) {
    __shared__ int small_of[8], large_of[8], starts[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, smaller = 0, larger = 0;
    int keys[16];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int4 v = in[blockIdx.x * 1024 + k * 256 + t];
        keys[4 * k] = v.x, keys[4 * k + 1] = v.y, keys[4 * k + 2] = v.z, keys[4 * k + 3] = v.w;
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        smaller += keys[k] < low;
        larger += keys[k] > high;
    }
    int both = smaller << 16 | larger, sum = both;
    for (int step = 1; step < 32; step *= 2) {
        int left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) small_of[warp] = sum >> 16, large_of[warp] = sum & 0xffff;
    __syncthreads();
    if (t < 2) {
        int all = 0, *of = t == 0 ? small_of : large_of;
        for (int w = 0; w < 8; ++w) {
            int mine = of[w];
            of[w] = all;
            all += mine;
        }
        starts[t] = atomicAdd(&ends[t], all) & 4194303;  // where the launch comes once more, from the beginning
    }
    __syncthreads();
    sum -= both;
    int front = starts[0] + small_of[warp] + (sum >> 16), back = n - 1 - (starts[1] + large_of[warp] + (sum & 0xffff));
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        if (keys[k] < low) out[front++] = keys[k];
        else if (keys[k] > high) out[back--] = keys[k];
    }
}

// launch splat_depths: --kernel splat_depths --grid 600 --block 512 --arg f32[1228800]=0.1..100 --arg i32[1228800]=0..4000000 --arg i32[1228800]
// Gaussian splats: what covers a tile of the picture is sorted by depth before it is blended, 2,048 splats a tile.
// A bitonic network over words of 64 bits in shared memory: depth above, number below.
__global__ void __launch_bounds__(512) splat_depths(const float* __restrict__ depths, const int* __restrict__ numbers,
                                                    int* __restrict__ sorted) {
    __shared__ unsigned long long held[2048];
    int t = threadIdx.x, first = blockIdx.x * 2048;
    for (int i = t; i < 2048; i += 512)
        held[i] = (unsigned long long)__float_as_uint(depths[first + i]) << 32 | (unsigned)numbers[first + i];
    for (int size = 2; size <= 2048; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (int k = t; k < 1024; k += 512) {
                int a = (k & ~(step - 1)) * 2 | (k & (step - 1)), b = a | step;
                unsigned long long x = held[a], y = held[b];
                if ((x > y) == ((a & size) == 0)) {
                    held[a] = y;
                    held[b] = x;
                }
            }
        }
    __syncthreads();
    for (int i = t; i < 2048; i += 512) sorted[first + i] = (int)(unsigned)held[i];
}

// launch suffix_ranks: --kernel suffix_ranks --grid 1024 --block 256 --arg u8[262208]=97..100 --arg i32[262144]
// Compression: the order of 256 neighbouring suffixes of a text of four letters, as a block-sorting compressor wants it.
// Each thread counts how many suffixes come before its own; how far a comparison goes depends on the text, 64 letters at most.
__global__ void suffix_ranks(const unsigned char* __restrict__ text, int* __restrict__ order) {
    __shared__ unsigned char held[320];
    int t = threadIdx.x, first = blockIdx.x * 256;
    for (int i = t; i < 320; i += 256) held[i] = text[first + i];
    __syncthreads();
    int rank = 0;
    for (int other = 0; other < 256; ++other) {
        if (other == t) continue;
        int k = 0;
        while (k < 64 && held[other + k] == held[t + k]) ++k;
        if (k == 64) rank += other < t;
        else rank += held[other + k] < held[t + k];
    }
    order[first + rank] = first + t;
}
