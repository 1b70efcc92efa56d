// Scans: sums up to each place. Many barriers close together, shuffles, and shared memory between them.

// launch hillis_steele: --kernel hillis_steele --grid 8192 --block 1024 --arg u32[8388608] --arg u32[8388608]
__global__ void hillis_steele(const unsigned* in, unsigned* out) {
    __shared__ unsigned held[2][1024];
    int i = blockIdx.x * 1024 + threadIdx.x, from = 0;
    held[0][threadIdx.x] = in[i];
    for (int step = 1; step < 1024; step *= 2, from = 1 - from) {
        __syncthreads();
        unsigned sum = held[from][threadIdx.x];
        if (threadIdx.x >= step) sum += held[from][threadIdx.x - step];
        held[1 - from][threadIdx.x] = sum;
    }
    out[i] = held[from][threadIdx.x];
}

// launch up_and_down: --kernel up_and_down --grid 4096 --block 512 --arg u32[4194304] --arg u32[4194304]
// Blelloch's tree without padding: its strides collide in the banks.
__global__ void up_and_down(const unsigned* in, unsigned* out) {
    __shared__ unsigned held[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024, step = 1;
    held[t] = in[base + t];
    held[t + 512] = in[base + t + 512];
    for (int pairs = 512; pairs > 0; pairs /= 2, step *= 2) {
        __syncthreads();
        if (t < pairs) held[step * (2 * t + 2) - 1] += held[step * (2 * t + 1) - 1];
    }
    if (t == 0) held[1023] = 0;
    for (int pairs = 1; pairs < 1024; pairs *= 2) {
        step /= 2;
        __syncthreads();
        if (t >= pairs) continue;
        int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
        unsigned before = held[left];
        held[left] = held[right];
        held[right] += before;
    }
    __syncthreads();
    out[base + t] = held[t];
    out[base + t + 512] = held[t + 512];
}

__device__ unsigned scan_of_warp(unsigned sum) {
    for (int step = 1; step < 32; step *= 2) {
        unsigned other = __shfl_up_sync(~0u, sum, step);
        if (threadIdx.x % 32 >= step) sum += other;
    }
    return sum;
}

// launch by_shuffles: --kernel by_shuffles --grid 16384 --block 512 --arg u32[8388608] --arg u32[8388608]
__global__ void by_shuffles(const unsigned* in, unsigned* out) {
    __shared__ unsigned of_warps[16];
    int i = blockIdx.x * 512 + threadIdx.x, warp = threadIdx.x / 32;
    unsigned sum = scan_of_warp(in[i]);
    if (threadIdx.x % 32 == 31) of_warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        unsigned all = scan_of_warp(threadIdx.x < 16 ? of_warps[threadIdx.x] : 0);
        if (threadIdx.x < 16) of_warps[threadIdx.x] = all;
    }
    __syncthreads();
    out[i] = sum + (warp > 0 ? of_warps[warp - 1] : 0);
}

// launch four_a_thread: --kernel four_a_thread --grid 16384 --block 256 --arg u32[16777216] --arg u32[16777216]
__global__ void four_a_thread(const uint4* in, uint4* out) {
    __shared__ unsigned of_warps[8];
    int i = blockIdx.x * 256 + threadIdx.x, warp = threadIdx.x / 32;
    uint4 v = in[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    unsigned sum = scan_of_warp(v.w);
    if (threadIdx.x % 32 == 31) of_warps[warp] = sum;
    __syncthreads();
    unsigned before = sum - v.w;
    for (int w = 0; w < warp; ++w) before += of_warps[w];
    out[i] = make_uint4(v.x + before, v.y + before, v.z + before, v.w + before);
}

// launch add_offsets: --kernel add_offsets --grid 16384 --block 1024 --arg u32[16384] --arg u32[16777216] --arg u32[16777216]
__global__ void add_offsets(const unsigned* offsets, const unsigned* in, unsigned* out) {
    __shared__ unsigned offset;
    if (threadIdx.x == 0) offset = offsets[blockIdx.x];
    __syncthreads();
    int i = blockIdx.x * 1024 + threadIdx.x;
    out[i] = in[i] + offset;
}

// launch row_by_row: --kernel row_by_row --grid 256 --block 256 --arg f32[8388608]=0..1 --arg f32[8388608] --arg i32:128
// A warp scans 16 rows' worth one piece after another: each waits for the one before.
__global__ void row_by_row(const float* in, float* out, int pieces) {
    int warp = (blockIdx.x * 256 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float carried = 0;
    for (int piece = 0; piece < pieces; ++piece) {
        int i = (warp * pieces + piece) * 32 + lane;
        float sum = in[i];
        for (int step = 1; step < 32; step *= 2) {
            float other = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += other;
        }
        out[i] = sum + carried;
        carried += __shfl_sync(~0u, sum, 31);
    }
}

// launch compact: --kernel compact --grid 16384 --block 256 --arg u32[4194304] --arg u32[4194304] --arg u32[16384]
__global__ void compact(const unsigned* in, unsigned* out, unsigned* counts) {
    __shared__ unsigned of_warps[8];
    int i = blockIdx.x * 256 + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned value = in[i] * 2654435761u;
    unsigned kept = __ballot_sync(~0u, value >> 31);
    if (lane == 0) of_warps[warp] = __popc(kept);
    __syncthreads();
    unsigned before = __popc(kept & ((1u << lane) - 1));
    for (int w = 0; w < warp; ++w) before += of_warps[w];
    if (value >> 31) out[blockIdx.x * 256 + before] = value;
    if (threadIdx.x == 255) counts[blockIdx.x] = before + (value >> 31);
}
