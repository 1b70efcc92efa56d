// Atomics: votes for straight lines, labels of a graph's parts, the table of a join, and doses of radiation.

// launch votes_for_lines: --kernel votes_for_lines --grid 720 --block 256 --arg f32[32768]=0..1500 --arg u8[16384]=1..255 --arg u32[2949120] --arg u64[1] --arg i32:16384
// Hough's transform: 16,384 edge points vote for straight lines, an angle a block, as strongly as their edges are.
// Votes are taken in 16 KiB of shared memory; the line with the most of all is kept in one word of 64 bits.
__global__ void __launch_bounds__(256) votes_for_lines(const float2* __restrict__ points,
                                                       const unsigned char* __restrict__ strengths, unsigned* __restrict__ votes,
                                                       unsigned long long* best, int n) {
    __shared__ unsigned held[4096];
    int t = threadIdx.x;
    for (int i = t; i < 4096; i += 256) held[i] = 0;
    float s, c;
    sincospif(blockIdx.x / 720.0f, &s, &c);
    __syncthreads();
    for (int i = t; i < n; i += 256) {
        float2 p = __ldg(&points[i]);
        int bin = min(max(__float2int_rd(p.x * c + p.y * s) + 1600, 0), 4095);
        atomicAdd(&held[bin], (unsigned)strengths[i]);
    }
    __syncthreads();
    unsigned most = 0, where = 0;
    for (int i = t; i < 4096; i += 256) {
        unsigned v = held[i];
        votes[blockIdx.x * 4096 + i] = v;
        if (v > most) most = v, where = i;
    }
    unsigned top = __reduce_max_sync(~0u, most);
    if (most == top) atomicMax(best, (unsigned long long)most << 32 | (blockIdx.x * 4096 + where));
}

// launch hook_labels: --kernel hook_labels --grid 4096 --block 512 --arg u32[4194304]=0..1048575 --arg u32[1048576]=0..1048575 --arg u32[1048576]=2000000000 --arg u32[32]
// Connected parts of a graph: each edge hooks the larger label of its ends under the smaller one, or under what that one has.
// Edges are random; how many of them joined something is counted once a warp.
__global__ void hook_labels(const uint2* __restrict__ edges, const unsigned* __restrict__ labels, unsigned* next,
                            unsigned* joined) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 e = edges[i];
    unsigned a = __ldg(&labels[e.x]), b = __ldg(&labels[e.y]);
    unsigned low = min(a, b), high = max(a, b);
    bool differ = low != high;
    if (differ) {
        unsigned above = __ldg(&labels[low]);
        atomicMin(&next[high], min(low, above));
    }
    unsigned votes = __ballot_sync(~0u, differ);
    if ((threadIdx.x & 31) == 0) atomicAdd(&joined[blockIdx.x & 31], (unsigned)__popc(votes));
}

// launch join_table: --kernel join_table --grid 4096 --block 256 --arg u32[1048576]=1..2000000000 --arg u64[2097152] --arg u32[1] --arg u32:2097151
// Databases: keys of the smaller side of a join are put into an open table, half full at last.
// A place is claimed by compare and exchange of key and row in 64 bits; a taken one leads to the next.
__global__ void join_table(const unsigned* __restrict__ keys, unsigned long long* table, unsigned* lost, unsigned mask) {
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x, key = keys[row];
    unsigned h = key * 0x9e3779b1u;
    h ^= h >> 15;
    h *= 0x85ebca77u;
    unsigned at = (h ^ h >> 13) & mask;
    unsigned long long entry = (unsigned long long)key << 32 | row;
    bool placed = false;
    for (int probe = 0; probe < 48 && !placed; ++probe) {
        unsigned long long old = atomicCAS(&table[at], 0ull, entry);
        placed = old == 0 || (unsigned)(old >> 32) == key;
        at = (at + 1) & mask;
    }
    if (!placed) atomicAdd(lost, 1u);
}

// launch photon_dose: --kernel photon_dose --grid 512 --block 128 --arg u8[2097152]=0..3 --arg f32[4]=2..9 --arg u64[2097152] --arg u32:12345
// Radiotherapy: photons enter a box of 128 voxels a side and are scattered about; each leaves part of its weight behind.
// Doses are whole numbers of 64 bits, so that the order of additions does not matter.
__global__ void photon_dose(const unsigned char* __restrict__ tissue, const float* __restrict__ lengths,
                            unsigned long long* dose, unsigned seed) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = (i + seed) * 747796405u + 2891336453u;
    auto draw = [&]() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return ((state >> 8) + 1) * (1.0f / 16777217.0f);
    };
    float x = 56 + 16 * draw(), y = 56 + 16 * draw(), z = 0, dx = 0, dy = 0, dz = 1, weight = 1, length = 4;
    for (int step = 0; step < 48; ++step) {
        float path = -__logf(draw()) * length;
        x += dx * path, y += dy * path, z += dz * path;
        if (!(x >= 0 && y >= 0 && z >= 0 && x < 128 && y < 128 && z < 128)) break;
        int voxel = ((int)z * 128 + (int)y) * 128 + (int)x;
        length = __ldg(&lengths[__ldg(&tissue[voxel]) & 3]);
        float left = weight * 0.15f;
        atomicAdd(&dose[voxel], (unsigned long long)(left * 1048576.0f));
        weight -= left;
        if (weight < 0.1f) {
            if (draw() > 0.5f) break;
            weight *= 2;
        }
        float up = 2 * draw() - 1, round = 6.2831853f * draw(), side = sqrtf(fmaxf(0.0f, 1 - up * up));
        float nx = dx + side * __cosf(round), ny = dy + side * __sinf(round), nz = dz + up;
        float scale = rsqrtf(nx * nx + ny * ny + nz * nz + 1e-6f);
        dx = nx * scale, dy = ny * scale, dz = nz * scale;
    }
}
