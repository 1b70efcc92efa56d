// Atomics: places in a list, sums of clusters and groups, and what particles leave on a grid.

// launch filter_by_warps: --kernel filter_by_warps --grid 16384 --block 256 --arg f32[4194304]=-1..1 --arg f32[4194304] --arg u32[1]=0 --arg f32:0.25
// What lies above the limit goes to the end of a list: one atomic a warp. The list begins again when it is full.
__global__ void filter_by_warps(const float* __restrict__ in, float* __restrict__ out, unsigned* next, float limit) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, size = gridDim.x * blockDim.x;
    float x = in[i];
    unsigned kept = __ballot_sync(~0u, x > limit);
    if (kept == 0) return;
    int leader = __ffs(kept) - 1;
    unsigned base = 0;
    if (lane == leader) base = atomicAdd(next, __popc(kept));
    base = __shfl_sync(~0u, base, leader);
    if (x > limit) out[(base + __popc(kept & ((1u << lane) - 1))) & (size - 1)] = x;
}

// launch kmeans_update: --kernel kmeans_update --grid 528 --block 256 --arg f32[4194304]=0..1 --arg f32[64]=0..1 --arg f32[96]=0 --arg i32:2097152
// Each point is added to the nearest of 32 centres: sums of x and y and a count, in shared memory first.
__global__ void kmeans_update(const float2* __restrict__ points, const float2* __restrict__ centres, float* sums,
                              int n) {
    __shared__ float2 centre[32];
    __shared__ float held[96];
    if (threadIdx.x < 32) centre[threadIdx.x] = centres[threadIdx.x];
    if (threadIdx.x < 96) held[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 p = points[i];
        int nearest = 0;
        float least = 1e30f;
        for (int k = 0; k < 32; ++k) {
            float dx = p.x - centre[k].x, dy = p.y - centre[k].y, distance = dx * dx + dy * dy;
            if (distance < least) least = distance, nearest = k;
        }
        atomicAdd(&held[nearest * 3], p.x);
        atomicAdd(&held[nearest * 3 + 1], p.y);
        atomicAdd(&held[nearest * 3 + 2], 1.0f);
    }
    __syncthreads();
    if (threadIdx.x < 96) atomicAdd(&sums[threadIdx.x], held[threadIdx.x]);
}

// launch deposit_charge: --kernel deposit_charge --grid 4096 --block 256 --arg f32[2097152]=0..1022 --arg f32[1048576]=-1..1 --arg f32[1048576]=0 --arg i32:1024
// Particle in cell: a particle's charge is spread over the four corners of its cell.
__global__ void deposit_charge(const float2* __restrict__ places, const float* __restrict__ charges, float* grid,
                               int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 p = places[i];
    float charge = charges[i];
    int x = (int)p.x, y = (int)p.y;
    float fx = p.x - x, fy = p.y - y;
    float* at = grid + y * n + x;
    atomicAdd(at, charge * (1 - fx) * (1 - fy));
    atomicAdd(at + 1, charge * fx * (1 - fy));
    atomicAdd(at + n, charge * (1 - fx) * fy);
    atomicAdd(at + n + 1, charge * fx * fy);
}

// launch group_by: --kernel group_by --grid 4096 --block 128 --arg u32[524288]=1..20000 --arg u32[524288]=0..1000 --arg u32[65536]=0 --arg u64[65536]=0 --arg u32:65535
// Sums by key in a hash table with open addressing: a key's place is claimed by compare and exchange.
__global__ void group_by(const unsigned* keys, const unsigned* values, unsigned* table, unsigned long long* sums,
                         unsigned mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = keys[i], slot = key * 2654435761u >> 12 & mask;
    for (int probe = 0; probe < 64; ++probe) {
        unsigned seen = atomicCAS(&table[slot], 0u, key);
        if (seen == 0 || seen == key) {
            atomicAdd(&sums[slot], (unsigned long long)values[i]);
            return;
        }
        slot = (slot + 1) & mask;
    }
}
