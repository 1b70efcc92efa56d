// Sorting within blocks, warps and threads: comparisons, exchanges through shared memory, many barriers.
// What is sorted comes from memory that the launch leaves alone, so that every launch has the same to do.

// launch bitonic_block: --kernel bitonic_block --grid 2048 --block 512 --arg u32[2097152] --arg u32[2097152]
__global__ void bitonic_block(const unsigned* in, unsigned* out) {
    __shared__ unsigned held[1024];
    int base = blockIdx.x * 1024, t = threadIdx.x;
    held[t] = in[base + t] * 2654435761u;
    held[t + 512] = in[base + t + 512] * 2654435761u;
    for (int size = 2; size <= 1024; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (step - 1)), high = low + step;
            unsigned a = held[low], b = held[high];
            if ((a > b) == ((low & size) == 0)) {
                held[low] = b;
                held[high] = a;
            }
        }
    __syncthreads();
    out[base + t] = held[t];
    out[base + t + 512] = held[t + 512];
}

// launch bitonic_warp: --kernel bitonic_warp --grid 16384 --block 256 --arg u32[4194304] --arg u32[4194304]
__global__ void bitonic_warp(const unsigned* in, unsigned* out) {
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    unsigned mine = in[i] * 2654435761u;
    for (int size = 2; size <= 32; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            unsigned other = __shfl_xor_sync(~0u, mine, step);
            bool up = (lane & size) == 0, first = (lane & step) == 0;
            mine = up == first ? min(mine, other) : max(mine, other);
        }
    out[i] = mine;
}

// launch odd_even_block: --kernel odd_even_block --grid 2048 --block 128 --arg u32[524288] --arg u32[524288]
__global__ void odd_even_block(const unsigned* in, unsigned* out) {
    __shared__ unsigned held[256];
    int base = blockIdx.x * 256, t = threadIdx.x;
    held[t] = in[base + t] * 2654435761u;
    held[t + 128] = in[base + t + 128] * 2654435761u;
    for (int turn = 0; turn < 256; ++turn) {
        __syncthreads();
        int low = 2 * t + (turn & 1);
        if (low + 1 < 256 && held[low] > held[low + 1]) {
            unsigned kept = held[low];
            held[low] = held[low + 1];
            held[low + 1] = kept;
        }
    }
    __syncthreads();
    out[base + t] = held[t];
    out[base + t + 128] = held[t + 128];
}

// launch rank_among_block: --kernel rank_among_block --grid 1024 --block 512 --arg u32[524288] --arg u32[524288]
// Each thread counts the smaller ones: all lanes read the same word.
__global__ void rank_among_block(const unsigned* in, unsigned* out) {
    __shared__ unsigned held[512];
    int base = blockIdx.x * 512;
    unsigned mine = in[base + threadIdx.x] * 2654435761u, rank = 0;
    held[threadIdx.x] = mine;
    __syncthreads();
    for (int k = 0; k < 512; ++k) rank += held[k] < mine;
    out[base + rank] = mine;
}

// launch radix_split: --kernel radix_split --grid 2048 --block 256 --arg u32[524288] --arg u32[524288]
// Eight bits, one after another: a ballot, sums over the warps, and a turn through shared memory each.
__global__ void radix_split(const unsigned* in, unsigned* out) {
    __shared__ unsigned held[256], zeros_of_warps[8];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned key = in[blockIdx.x * 256 + threadIdx.x] * 2654435761u;
    for (int bit = 0; bit < 8; ++bit) {
        bool one = key >> bit & 1;
        unsigned zeros = __ballot_sync(~0u, !one);
        if (lane == 0) zeros_of_warps[warp] = __popc(zeros);
        __syncthreads();
        unsigned zeros_before = __popc(zeros & ((1u << lane) - 1)), all_zeros = 0;
        for (int w = 0; w < 8; ++w) {
            if (w < warp) zeros_before += zeros_of_warps[w];
            all_zeros += zeros_of_warps[w];
        }
        held[one ? all_zeros + threadIdx.x - zeros_before : zeros_before] = key;
        __syncthreads();
        key = held[threadIdx.x];
    }
    out[blockIdx.x * 256 + threadIdx.x] = key;
}

// launch network_a_thread: --kernel network_a_thread --grid 4096 --block 128 --arg u32[8388608] --arg u32[8388608]
// Sixteen words in registers, in a network of exchanges: nothing but arithmetic between load and store.
__global__ void network_a_thread(const uint4* in, uint4* out) {
    int i = blockIdx.x * 128 + threadIdx.x, all = gridDim.x * 128;
    unsigned v[16];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 four = in[i + k * all];
        v[4 * k] = four.x, v[4 * k + 1] = four.y, v[4 * k + 2] = four.z, v[4 * k + 3] = four.w;
    }
#pragma unroll
    for (int turn = 0; turn < 16; ++turn)
#pragma unroll
        for (int low = turn & 1; low + 1 < 16; low += 2) {
            unsigned a = min(v[low], v[low + 1]), b = max(v[low], v[low + 1]);
            v[low] = a, v[low + 1] = b;
        }
#pragma unroll
    for (int k = 0; k < 4; ++k) out[i + k * all] = make_uint4(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
}

// launch merge_pairs: --kernel merge_pairs --grid 4096 --block 256 --arg u32[1048576]=0+3 --arg u32[1048576]=0+4 --arg u32[1048576] --arg i32:1024
// Places in the merged row by binary search: each thread looks up one element of the first row in the second.
__global__ void merge_pairs(const unsigned* a, const unsigned* b, unsigned* out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x, row = i / n * n;
    unsigned mine = a[i];
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (b[row + middle] < mine) low = middle + 1;
        else high = middle;
    }
    out[i] = low + i - row;
}
