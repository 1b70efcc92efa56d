// Four kernels around atomics: newest version of each key, PET back projection, cuckoo tables in shared memory, Louvain moves.
#include <cuda_fp16.h>

// launch latest_row_of_key: --kernel latest_row_of_key --grid 1024 --block 256 --arg u32[1048576]=0..4000000000 --arg u32[1048576]=1..2000000000 --arg u8[1048576]=0..9 --arg u64[131072]=0 --arg i32:1048576 --arg i32:131071
// Databases: of all row versions with the same key the newest wins; (time, row) is packed into 64 bits and put into the
// slot of the key with an atomic maximum. Rows marked deleted (flag 0) are passed over. Grid stride, several rows a thread.
__global__ void latest_row_of_key(const unsigned* __restrict__ keys, const unsigned* __restrict__ times,
                                  const unsigned char* __restrict__ flags, unsigned long long* __restrict__ newest,
                                  int rows, int slot_mask)
{
    int step = gridDim.x * blockDim.x;
    for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += step) {
        if (flags[row] == 0) continue;
        unsigned h = keys[row];
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        unsigned long long version = ((unsigned long long)times[row] << 32) | (unsigned)row;
        atomicMax(&newest[h & slot_mask], version);
    }
}

// launch backproject_coincidences: --kernel backproject_coincidences --grid 256 --block 256 --arg u32[131072]=0..4294967295 --arg f32[65536]=0.5..1.5 --arg f32[1048576]=0 --arg i32:65536
// Nuclear imaging (PET): each coincidence of two crystals on the ring is smeared back into a 128x128x64 volume along its
// line, weighted by a Gaussian about the place that the time of flight says. A thread per event; an event is 64 bits of the
// list: crystal, how far round the other lies, both rings, and the difference of times.
__global__ void backproject_coincidences(const uint2* __restrict__ list, const float* __restrict__ weight, float* volume, int events)
{
    const int NX = 128, NY = 128, NZ = 64;
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= events) return;
    uint2 event = list[e];
    int crystal_a = event.x & 511, crystal_b = (crystal_a + 192 + (event.y & 127)) & 511;
    int ring_a = (event.x >> 9) & 63, ring_b = (event.y >> 9) & 63;
    float flight = (float)((int)((event.x >> 16) & 255) - 128) * 0.15f;
    const float radius = 90.0f, turn = 6.2831853f / 512.0f;
    float sa, ca, sb, cb;
    __sincosf(crystal_a * turn, &sa, &ca);
    __sincosf(crystal_b * turn, &sb, &cb);
    float ax = radius * ca + 0.5f * NX, ay = radius * sa + 0.5f * NY, az = ring_a + 0.5f;
    float dx = radius * cb + 0.5f * NX - ax, dy = radius * sb + 0.5f * NY - ay, dz = ring_b + 0.5f - az;
    float length = sqrtf(dx * dx + dy * dy + dz * dz);
    if (length < 1.0f) return;
    float inverse = 1.0f / length;
    dx *= inverse; dy *= inverse; dz *= inverse;
    float centre = 0.5f * length + flight;
    const float sigma = 8.0f, reach = 24.0f;
    float begin = fmaxf(0.0f, centre - reach), end = fminf(length, centre + reach);
    float w = weight[e];
    for (float s = begin; s < end; s += 1.0f) {
        int x = __float2int_rd(ax + s * dx), y = __float2int_rd(ay + s * dy), z = __float2int_rd(az + s * dz);
        if (x < 0 || x >= NX || y < 0 || y >= NY || z < 0 || z >= NZ) continue;
        float d = (s - centre) * (1.0f / sigma);
        atomicAdd(&volume[(z * NY + y) * NX + x], w * __expf(-0.5f * d * d));
    }
}

// launch cuckoo_partitions: --kernel cuckoo_partitions --grid 512 --block 256 --arg u32[524288]=0..4000000000 --arg u32[524288]=0..1000000 --arg u64[1048576] --arg u32[1]=0
// Hash joins: a block builds a cuckoo table of the 1024 keys of its partition in shared memory; an insertion exchanges
// itself into a slot and carries on with what it threw out, up to a limit. The finished table is written out.
__global__ void cuckoo_partitions(const unsigned* keys, const unsigned* values, unsigned long long* tables, unsigned* failures)
{
    const int SLOTS = 2048, ITEMS = 1024, LIMIT = 40;
    const unsigned long long EMPTY = ~0ull;
    __shared__ unsigned long long table[SLOTS];
    for (int i = threadIdx.x; i < SLOTS; i += blockDim.x) table[i] = EMPTY;
    __syncthreads();
    const unsigned* my_keys = keys + blockIdx.x * ITEMS;
    const unsigned* my_values = values + blockIdx.x * ITEMS;
    for (int i = threadIdx.x; i < ITEMS; i += blockDim.x) {
        unsigned long long entry = ((unsigned long long)my_keys[i] << 32) | my_values[i];
        unsigned slot = ((unsigned)(entry >> 32) * 2654435761u) >> 21;
        int moves = 0;
        for (; moves < LIMIT; ++moves) {
            entry = atomicExch(&table[slot], entry);
            if (entry == EMPTY) break;
            unsigned key = (unsigned)(entry >> 32);
            unsigned first = (key * 2654435761u) >> 21;
            unsigned second = ((key ^ (key >> 15)) * 2246822519u + 0x9e3779b9u) >> 21;
            unsigned third = ((key ^ (key >> 11)) * 3266489917u + 0x7f4a7c15u) >> 21;
            slot = slot == first ? second : slot == second ? third : first;
        }
        if (moves == LIMIT) atomicAdd(failures, 1u);
    }
    __syncthreads();
    unsigned long long* out = tables + (size_t)blockIdx.x * SLOTS;
    for (int i = threadIdx.x; i < SLOTS; i += blockDim.x) out[i] = table[i];
}

// launch louvain_best_move: --kernel louvain_best_move --grid 2048 --block 256 --arg i32[16385]=0+64 --arg i32[16384]=8..64 --arg i32[1048640]=0..16383 --arg f32[1048640]=0.1..1 --arg i32[16384]=0..499 --arg f32[500]=100..2000 --arg i32[16384] --arg f32[16384] --arg i32:16384 --arg f32:0.000002
// Communities in graphs (Louvain): a warp per vertex sums the weights to each neighbouring community in a small hash table
// in shared memory (compare-and-swap for the slot, atomic add for the weight) and picks the move of greatest gain.
__global__ void louvain_best_move(const int* __restrict__ starts, const int* __restrict__ degrees, const int* __restrict__ neighbours,
                                  const float* __restrict__ weights, const int* __restrict__ community,
                                  const float* __restrict__ community_total, int* best_community, float* best_gain,
                                  int vertices, float inverse_total)
{
    const int SLOTS = 128, WARPS = 8;
    __shared__ int owner[WARPS][SLOTS];
    __shared__ float sum[WARPS][SLOTS];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = blockIdx.x * WARPS + warp;
    if (v >= vertices) return;
    for (int i = lane; i < SLOTS; i += 32) {
        owner[warp][i] = -1;
        sum[warp][i] = 0.0f;
    }
    __syncwarp();
    int begin = starts[v], end = begin + degrees[v];
    float strength = 0.0f;
    for (int e = begin + lane; e < end; e += 32) {
        int u = neighbours[e];
        float w = weights[e];
        strength += w;
        if (u == v) continue;
        int c = community[u];
        int slot = (c * 107) & (SLOTS - 1);
        while (true) {
            int was = atomicCAS(&owner[warp][slot], -1, c);
            if (was == -1 || was == c) break;
            slot = (slot + 1) & (SLOTS - 1);
        }
        atomicAdd(&sum[warp][slot], w);
    }
    for (int d = 16; d; d >>= 1) strength += __shfl_xor_sync(~0u, strength, d);
    __syncwarp();
    int mine = community[v];
    float gain = -1e30f;
    int choice = mine;
    for (int i = lane; i < SLOTS; i += 32) {
        int c = owner[warp][i];
        if (c < 0) continue;
        float total = community_total[c] - (c == mine ? strength : 0.0f);
        float g = sum[warp][i] - strength * total * inverse_total;
        if (g > gain || (g == gain && c < choice)) { gain = g; choice = c; }
    }
    for (int d = 16; d; d >>= 1) {
        float g = __shfl_xor_sync(~0u, gain, d);
        int c = __shfl_xor_sync(~0u, choice, d);
        if (g > gain || (g == gain && c < choice)) { gain = g; choice = c; }
    }
    if (lane == 0) {
        best_community[v] = choice;
        best_gain[v] = gain;
    }
}
