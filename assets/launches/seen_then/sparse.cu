// Four sparse kernels: smoothing of mesh vertices, sampling of graph neighbours, a convolution layer over sparse voxels, the widest message of nearest neighbours.
#include <cuda_fp16.h>

// launch smooth_vertices: --kernel smooth_vertices --grid 4096 --block 256 --arg f32[3145728]=-1..1 --arg i32[1048576]=0+8 --arg u8[1048576]=2..8 --arg i16[8388608]=-700..700 --arg f32[3145728] --arg i32:1048576 --arg f32:0.5
// Geometry processing: a step of Laplacian smoothing; a thread takes a vertex, its neighbours are stored as differences of
// numbers, and vertices of the border (fewer than three neighbours) stay.
__global__ void smooth_vertices(const float* __restrict__ in, const int* __restrict__ start, const unsigned char* __restrict__ degree,
                                const short* __restrict__ neighbour, float* __restrict__ out, int vertices, float lambda)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    const float x = in[3 * v], y = in[3 * v + 1], z = in[3 * v + 2];
    const int d = degree[v];
    float ox = x, oy = y, oz = z;
    if (d >= 3) {
        const int first = start[v];
        float sx = 0.f, sy = 0.f, sz = 0.f;
        for (int e = first; e < first + d; ++e) {
            int u = v + neighbour[e];
            u = max(0, min(u, vertices - 1));
            sx += in[3 * u];
            sy += in[3 * u + 1];
            sz += in[3 * u + 2];
        }
        const float inv = 1.f / (float)d;
        ox += lambda * (sx * inv - x);
        oy += lambda * (sy * inv - y);
        oz += lambda * (sz * inv - z);
    }
    out[3 * v] = ox;
    out[3 * v + 1] = oy;
    out[3 * v + 2] = oz;
}

// launch sample_neighbours: --kernel sample_neighbours --grid 4096 --block 256 --arg i32[32768]=0..131071 --arg i32[131072]=0+60 --arg i32[131072]=0..60 --arg i32[7864320]=0..131071 --arg i32[262144] --arg i32[32768] --arg i32:32768 --arg u32:1234567
// Training on large graphs: eight neighbours of each seed without repetition; a warp takes a seed, gives each neighbour a
// random key and picks the least key eight times; shorter lists are copied whole and filled with -1.
__global__ void sample_neighbours(const int* __restrict__ seeds, const int* __restrict__ row_start, const int* __restrict__ row_length,
                                  const int* __restrict__ columns, int* __restrict__ picked, int* __restrict__ picked_count,
                                  int n_seeds, unsigned random_seed)
{
    const int FANOUT = 8;
    const int lane = threadIdx.x & 31;
    const int warps = (gridDim.x * blockDim.x) >> 5;
    for (int s = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; s < n_seeds; s += warps) {
        const int node = seeds[s];
        const int first = row_start[node];
        const int n = row_length[node];
        int* out = picked + s * FANOUT;
        if (n <= FANOUT) {
            if (lane < FANOUT) out[lane] = lane < n ? columns[first + lane] : -1;
            if (lane == 0) picked_count[s] = n;
            continue;
        }
        unsigned key[2];
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int place = lane + 32 * h;
            unsigned r = (unsigned)s * 0x9e3779b9u ^ (unsigned)place * 0x85ebca6bu ^ random_seed;
            r ^= r >> 16;
            r *= 0x7feb352du;
            r ^= r >> 15;
            r *= 0x846ca68bu;
            r ^= r >> 16;
            key[h] = place < n ? (r & 0xffffffc0u) | (unsigned)place : 0xffffffffu;
        }
        int chosen = 0;
#pragma unroll
        for (int k = 0; k < FANOUT; ++k) {
            const unsigned least = __reduce_min_sync(0xffffffffu, min(key[0], key[1]));
            if (key[0] == least) key[0] = 0xffffffffu;
            if (key[1] == least) key[1] = 0xffffffffu;
            if (lane == k) chosen = (int)(least & 63u);
        }
        if (lane < FANOUT) out[lane] = columns[first + chosen];
        if (lane == 0) picked_count[s] = FANOUT;
    }
}

// launch sparse_voxel_layer: --kernel sparse_voxel_layer --grid 32,27 --block 256 --arg f32[1048576]=-1..1 --arg f32[27648]=-0.2..0.2 --arg i32[55296]=0..32767 --arg i32[55296]=0..32767 --arg i32[27]=1500..2048 --arg f32[1048576]=0 --arg i32:2048
// Perception from lidar: submanifold convolution with 32 channels; for each of 27 kernel offsets a list of pairs of voxels,
// 64 pairs a block: rows gathered into shared memory, multiplied by the offset's weights and added atomically.
__global__ void __launch_bounds__(256) sparse_voxel_layer(const float* __restrict__ features, const float* __restrict__ weights,
                                                          const int* __restrict__ pair_in, const int* __restrict__ pair_out,
                                                          const int* __restrict__ pair_count, float* __restrict__ result, int room)
{
    __shared__ float weight[32][32];
    __shared__ __align__(16) float rows[64][32];
    const int offset = blockIdx.y;
    const int first = blockIdx.x * 64;
    const int count = pair_count[offset];
    if (first >= count) return;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int k = threadIdx.x; k < 1024; k += 256) weight[k >> 5][k & 31] = weights[offset * 1024 + k];
    for (int r = warp; r < 64; r += 8) {
        const int pair = first + r;
        rows[r][lane] = pair < count ? features[pair_in[offset * room + pair] * 32 + lane] : 0.f;
    }
    __syncthreads();
    float sum[8];
#pragma unroll
    for (int p = 0; p < 8; ++p) sum[p] = 0.f;
    for (int c = 0; c < 32; c += 4) {
        const float w0 = weight[c][lane], w1 = weight[c + 1][lane], w2 = weight[c + 2][lane], w3 = weight[c + 3][lane];
#pragma unroll
        for (int p = 0; p < 8; ++p) {
            const float4 f = *reinterpret_cast<const float4*>(&rows[warp * 8 + p][c]);
            sum[p] += f.x * w0 + f.y * w1 + f.z * w2 + f.w * w3;
        }
    }
#pragma unroll
    for (int p = 0; p < 8; ++p) {
        const int pair = first + warp * 8 + p;
        if (pair < count) atomicAdd(&result[pair_out[offset * room + pair] * 32 + lane], sum[p]);
    }
}

// launch widest_of_neighbours: --kernel widest_of_neighbours --grid 4096 --block 256 --arg f32[2097152]=-1..1 --arg f32[2097152]=-1..1 --arg i32[655360]=0..32767 --arg f32[2097152] --arg u8[2097152] --arg i32:32768
// Learning on point clouds (edge convolution): the greatest message of 20 nearest neighbours in each of 64 channels and
// which neighbour gave it, for the backward pass; a warp takes a point, two channels a lane, numbers spread by shuffles.
__global__ void widest_of_neighbours(const float2* __restrict__ own, const float2* __restrict__ others, const int* __restrict__ nearest,
                                     float2* __restrict__ widest, uchar2* __restrict__ which, int points)
{
    const int K = 20;
    const int point = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int lane = threadIdx.x & 31;
    if (point >= points) return;
    const int mine = lane < K ? nearest[point * K + lane] : 0;
    float bx = -3.0e38f, by = -3.0e38f;
    int ix = 0, iy = 0;
#pragma unroll 5
    for (int k = 0; k < K; ++k) {
        const int j = __shfl_sync(0xffffffffu, mine, k);
        const float2 v = others[(size_t)j * 32 + lane];
        if (v.x > bx) { bx = v.x; ix = k; }
        if (v.y > by) { by = v.y; iy = k; }
    }
    const float2 u = own[(size_t)point * 32 + lane];
    float2 r;
    r.x = u.x + bx;
    r.y = u.y + by;
    r.x = r.x > 0.f ? r.x : 0.2f * r.x;
    r.y = r.y > 0.f ? r.y : 0.2f * r.y;
    widest[(size_t)point * 32 + lane] = r;
    which[(size_t)point * 32 + lane] = make_uchar2((unsigned char)ix, (unsigned char)iy);
}
