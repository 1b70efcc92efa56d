// Four kernels with atomics: a histogram of pair distances of atoms, distinct users counted in hash sets of shared memory, the heaviest edge of each component of a graph, and events of a camera spread over voxels of time.
#include <cuda_fp16.h>

// launch distances_of_pairs: --kernel distances_of_pairs --grid 32,32 --block 128 --arg f32[16384]=0..30 --arg u64[200]=0 --arg i32:4096 --arg f32:30 --arg f32:10 --arg i32:200
// Molecular dynamics: radial distribution. A block pairs a tile of 128 atoms with another in a periodic box, counts distances
// in shared bins, and adds them to the bins of all; only tiles on or above the diagonal work.
__global__ void distances_of_pairs(const float4* __restrict__ atoms, unsigned long long* __restrict__ counts,
                                   int n, float box, float cutoff, int bins)
{
    if (blockIdx.x < blockIdx.y) return;
    __shared__ float4 tile[128];
    __shared__ unsigned int local[256];

    const int t = threadIdx.x;
    for (int b = t; b < 256; b += blockDim.x) local[b] = 0;

    const int i = blockIdx.y * blockDim.x + t;
    const int j0 = blockIdx.x * blockDim.x;
    const int j_mine = j0 + t;
    tile[t] = j_mine < n ? atoms[j_mine] : make_float4(0.f, 0.f, 0.f, 0.f);
    __syncthreads();

    if (i < n) {
        const float4 a = atoms[i];
        const float inv_box = 1.0f / box;
        const float cutoff2 = cutoff * cutoff;
        const float to_bin = bins / cutoff;
        const int last = min(128, n - j0);
        const int first = blockIdx.x == blockIdx.y ? t + 1 : 0;
        for (int k = first; k < last; ++k) {
            const float4 b = tile[k];
            float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            dx -= box * rintf(dx * inv_box);
            dy -= box * rintf(dy * inv_box);
            dz -= box * rintf(dz * inv_box);
            const float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < cutoff2) {
                const int bin = min(int(sqrtf(r2) * to_bin), bins - 1);
                atomicAdd(&local[bin], 2u);
            }
        }
    }
    __syncthreads();
    for (int b = t; b < bins; b += blockDim.x)
        if (local[b]) atomicAdd(&counts[b], (unsigned long long)local[b]);
}

// launch distinct_of_partitions: --kernel distinct_of_partitions --grid 2048 --block 256 --arg u32[3072000]=0..3999 --arg u8[3072000]=0..3 --arg i32[2049]=0+1500 --arg i32[2048] --arg i32[2048]
// Databases: COUNT(DISTINCT user) of each partition of a log, of rows that pass a filter. One block a partition; a set with
// open addressing in shared memory, filled with compare and swap.
__global__ void distinct_of_partitions(const unsigned int* __restrict__ users, const unsigned char* __restrict__ kinds,
                                       const int* __restrict__ starts, int* __restrict__ distinct, int* __restrict__ passed)
{
    constexpr int SLOTS = 4096;
    constexpr unsigned int EMPTY = 0xffffffffu;
    __shared__ unsigned int set[SLOTS];
    __shared__ int n_new, n_pass;

    for (int s = threadIdx.x; s < SLOTS; s += blockDim.x) set[s] = EMPTY;
    if (threadIdx.x == 0) { n_new = 0; n_pass = 0; }
    __syncthreads();

    const int begin = starts[blockIdx.x], end = starts[blockIdx.x + 1];
    int mine_new = 0, mine_pass = 0;
    for (int r = begin + threadIdx.x; r < end; r += blockDim.x) {
        if (kinds[r] == 0) continue;
        ++mine_pass;
        const unsigned int u = users[r];
        unsigned int h = u * 0x9E3779B1u;
        h ^= h >> 15;
        int slot = h & (SLOTS - 1);
        for (int probe = 0; probe < SLOTS; ++probe) {
            const unsigned int old = atomicCAS(&set[slot], EMPTY, u);
            if (old == EMPTY) { ++mine_new; break; }
            if (old == u) break;
            slot = (slot + 1) & (SLOTS - 1);
        }
    }
    for (int d = 16; d; d >>= 1) {
        mine_new += __shfl_down_sync(0xffffffffu, mine_new, d);
        mine_pass += __shfl_down_sync(0xffffffffu, mine_pass, d);
    }
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(&n_new, mine_new);
        atomicAdd(&n_pass, mine_pass);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        distinct[blockIdx.x] = n_new;
        passed[blockIdx.x] = n_pass;
    }
}

// launch heaviest_edges: --kernel heaviest_edges --grid 8192 --block 256 --arg i32[2097152]=0..262143 --arg i32[2097152]=0..262143 --arg f32[2097152]=0..1 --arg i32[262144]=0..65535 --arg u64[65536]=0 --arg i32:2097152
// Graphs: a round of Boruvka's maximum spanning forest. One thread an edge; if its ends lie in different components, weight
// and number of the edge, packed in 64 bits, go to both components with an atomic maximum.
__global__ void heaviest_edges(const int* __restrict__ from, const int* __restrict__ to, const float* __restrict__ weight,
                               const int* __restrict__ component, unsigned long long* best, int edges)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    const int a = component[from[e]];
    const int b = component[to[e]];
    if (a == b) return;
    const unsigned int w = __float_as_uint(weight[e]);       // weights are not negative: order of bits is order of values
    const unsigned long long packed = ((unsigned long long)w << 32) | (unsigned int)~e;
    atomicMax(&best[a], packed);
    atomicMax(&best[b], packed);
}

// launch event_voxels: --kernel event_voxels --grid 4096 --block 256 --arg u16[2097152]=0..639 --arg u16[2097152]=0..479 --arg u32[2097152]=0..49999 --arg u8[2097152]=0..1 --arg u8[307200]=0..99 --arg f32[1536000]=0 --arg u32[307200]=0 --arg i32:2097152 --arg i32:640 --arg i32:480 --arg f32:0.00008
// Event cameras: events (x, y, time, sign) to a grid of 5 slices of time, shared between the two slices nearest, and the
// latest time of each pixel; hot pixels are left out. Grid stride, two events a thread.
__global__ void event_voxels(const unsigned short* __restrict__ xs, const unsigned short* __restrict__ ys,
                             const unsigned int* __restrict__ times, const unsigned char* __restrict__ signs,
                             const unsigned char* __restrict__ hot, float* voxels, unsigned int* latest,
                             int events, int width, int height, float slices_per_tick)
{
    constexpr int SLICES = 5;
    const int plane = width * height;
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < events; e += gridDim.x * blockDim.x) {
        const int x = xs[e], y = ys[e];
        if (x >= width || y >= height) continue;
        const int pixel = y * width + x;
        if (hot[pixel] == 0) continue;
        const unsigned int t = times[e];
        const float s = signs[e] ? 1.0f : -1.0f;
        const float where = fminf(t * slices_per_tick, SLICES - 1.0f);
        const int k = int(where);
        const float f = where - k;
        atomicAdd(&voxels[k * plane + pixel], s * (1.0f - f));
        if (k + 1 < SLICES && f > 0.0f) atomicAdd(&voxels[(k + 1) * plane + pixel], s * f);
        atomicMax(&latest[pixel], t);
    }
}
