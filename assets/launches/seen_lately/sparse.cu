// Sparse data: ranks of pages, elastic bodies in small blocks, forces between atoms, and sets as bitmaps.

// launch rank_of_pages: --kernel rank_of_pages --grid 8192 --block 256 --arg u32[6291456]=0..262143 --arg u8[262144]=0..24 --arg f32[262144]=0..1 --arg f32[262144]=0.05..1 --arg f32[262144] --arg f32:0.85
// Search: each page takes its rank from the pages that link to it, up to 24 of them, a padded list each.
// Eight lanes a page; the ranks and what they are shared among are looked up at random.
__global__ void rank_of_pages(const unsigned* __restrict__ links, const unsigned char* __restrict__ many,
                              const float* __restrict__ ranks, const float* __restrict__ shares, float* __restrict__ next,
                              float damping) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, page = i / 8, lane = i % 8, n = many[page];
    float sum = 0;
    for (int k = lane; k < n; k += 8) {
        unsigned from = __ldg(&links[page * 24 + k]);
        sum += __ldg(&ranks[from]) * __ldg(&shares[from]);
    }
    sum += __shfl_xor_sync(~0u, sum, 4);
    sum += __shfl_xor_sync(~0u, sum, 2);
    sum += __shfl_xor_sync(~0u, sum, 1);
    if (lane == 0) next[page] = (1 - damping) + damping * sum;
}

// launch small_blocks: --kernel small_blocks --grid 4096 --block 256 --arg i32[32769]=0+11 --arg i32[360448]=0..32767 --arg f32[5767168]=-1..1 --arg f32[131072]=-1..1 --arg f32[131072]
// Statics of elastic bodies: a sparse matrix of blocks of 4 x 4 by a vector, eleven blocks a row.
// A warp has a row of blocks and takes two of them at once, a number a lane.
__global__ void small_blocks(const int* __restrict__ starts, const int* __restrict__ columns, const float* __restrict__ blocks,
                             const float* __restrict__ x, float* __restrict__ y) {
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, inner = lane % 16;
    int end = starts[row + 1];
    float sum = 0;
    for (int b = starts[row] + lane / 16; b < end; b += 2)
        sum += blocks[(size_t)b * 16 + inner] * __ldg(&x[columns[b] * 4 + inner % 4]);
    sum += __shfl_xor_sync(~0u, sum, 16);
    sum += __shfl_xor_sync(~0u, sum, 2);
    sum += __shfl_xor_sync(~0u, sum, 1);
    if (lane < 16 && lane % 4 == 0) y[row * 4 + lane / 4] = sum;
}

// launch forces_of_atoms: --kernel forces_of_atoms --grid 1024 --block 64 --arg f32[262144]=0..12 --arg i32[3670016]=0..2047 --arg f32[262144] --arg f32:9 --arg f32:12
// Molecules: each of 65,536 atoms feels those of its 56 neighbours that are near enough, by Lennard-Jones, in a box that repeats.
// Neighbours lie somewhere among 2,048 atoms round about; lists are innermost by atom.
__global__ void __launch_bounds__(64) forces_of_atoms(const float4* __restrict__ atoms, const int* __restrict__ neighbours,
                                                      float4* __restrict__ forces, float reach, float box) {
    int i = blockIdx.x * 64 + threadIdx.x;
    float4 p = atoms[i];
    float fx = 0, fy = 0, fz = 0, energy = 0, inverse = 1 / box;
#pragma unroll 4
    for (int k = 0; k < 56; ++k) {
        int j = (i - 1024 + neighbours[k * 65536 + i]) & 65535;
        float4 q = __ldg(&atoms[j]);
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        dx -= box * rintf(dx * inverse), dy -= box * rintf(dy * inverse), dz -= box * rintf(dz * inverse);
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < reach && j != i) {
            float s = 1 / fmaxf(r2, 0.5f), s6 = s * s * s, f = 24 * s * s6 * (2 * s6 - 1);
            fx += f * dx, fy += f * dy, fz += f * dz;
            energy += 4 * s6 * (s6 - 1);
        }
    }
    forces[i] = make_float4(fx, fy, fz, 0.5f * energy);
}

// launch bitmaps_in_common: --kernel bitmaps_in_common --grid 3072 --block 128 --arg u32[2097152]=0..2000000000 --arg i32[6144]=0..1023 --arg i32[3072] --arg u32[3072]
// Indexes of databases: how many rows two conditions have in common, as bitmaps of 65,536 bits each out of a pool.
// A block has a pair; it also finds the first row that fits both.
__global__ void __launch_bounds__(128) bitmaps_in_common(const uint4* __restrict__ pool, const int2* __restrict__ pairs,
                                                         int* __restrict__ counts, unsigned* __restrict__ firsts) {
    __shared__ int count;
    __shared__ unsigned first;
    int t = threadIdx.x;
    if (t == 0) count = 0, first = ~0u;
    __syncthreads();
    int2 pair = pairs[blockIdx.x];
    const uint4 *a = pool + pair.x * 512, *b = pool + pair.y * 512;
    int sum = 0;
    unsigned least = ~0u;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 v = a[k * 128 + t], w = b[k * 128 + t];
        unsigned both[4] = {v.x & w.x, v.y & w.y, v.z & w.z, v.w & w.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            sum += __popc(both[j]);
            if (both[j] != 0) least = min(least, ((k * 128 + t) * 4 + j) * 32u + __ffs(both[j]) - 1);
        }
    }
    sum = __reduce_add_sync(~0u, sum);
    least = __reduce_min_sync(~0u, least);
    if (t % 32 == 0) {
        atomicAdd(&count, sum);
        atomicMin(&first, least);
    }
    __syncthreads();
    if (t == 0) counts[blockIdx.x] = count, firsts[blockIdx.x] = first;
}
