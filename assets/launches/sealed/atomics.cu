// Atomics: relaxing the edges of a bucket of a shortest-path search, bids of an auction, normal equations of cameras, and gradients of a hashed grid of features.
#include <cuda_fp16.h>

// launch relax_bucket: --kernel relax_bucket --grid 2048 --block 256 --arg i32[524289]=0+4 --arg i32[2097152]=0..524287 --arg u32[2097152]=1..1000 --arg u32[524288]=0..99999 --arg u32[524288]=100000 --arg u32:20000 --arg u32:80000 --arg i32:524288
// Graphs: delta stepping; a thread per vertex whose distance lies in the bucket offers a distance to each neighbour
// with an atomic minimum.
__global__ void relax_bucket(const int *__restrict__ row_start, const int *__restrict__ target,
                             const unsigned *__restrict__ length, const unsigned *__restrict__ distance,
                             unsigned *next_distance, unsigned bucket_low, unsigned bucket_high, int vertices)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    unsigned d = distance[v];
    if (d < bucket_low || d >= bucket_high) return;
    int end = row_start[v + 1];
    for (int e = row_start[v]; e < end; ++e)
        atomicMin(&next_distance[target[e]], d + length[e]);
}

// launch auction_bids: --kernel auction_bids --grid 1024 --block 256 --arg f32[8388608]=0..1 --arg f32[1024]=0..1 --arg i32[8192]=-1..0 --arg u64[1024]=0 --arg f32:0.001 --arg i32:8192 --arg i32:1024
// Optimisation: a round of the auction algorithm for assignment; a warp per bidder without an item finds the best and
// the second best item and bids by a 64-bit atomic maximum of (bid, bidder).
__global__ void auction_bids(const float *__restrict__ value, const float *__restrict__ price,
                             const int *__restrict__ item_of, unsigned long long *bids, float epsilon,
                             int bidders, int items)
{
    int bidder = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (bidder >= bidders || item_of[bidder] >= 0) return;
    const float *row = value + (size_t)bidder * items;
    float best = -1e30f, second = -1e30f;
    int best_item = 0;
    for (int j = lane; j < items; j += 32) {
        float gain = row[j] - price[j];
        if (gain > best) {
            second = best;
            best = gain;
            best_item = j;
        } else if (gain > second) {
            second = gain;
        }
    }
    for (int off = 16; off > 0; off >>= 1) {
        float other = __shfl_xor_sync(0xffffffffu, best, off);
        float other_second = __shfl_xor_sync(0xffffffffu, second, off);
        int other_item = __shfl_xor_sync(0xffffffffu, best_item, off);
        bool take = other > best || (other == best && other_item < best_item);
        second = fmaxf(fmaxf(second, other_second), take ? best : other);
        if (take) {
            best = other;
            best_item = other_item;
        }
    }
    if (lane == 0) {
        float bid = price[best_item] + best - second + epsilon;
        unsigned long long packed = ((unsigned long long)__float_as_uint(bid) << 32) | (unsigned)bidder;
        atomicMax(&bids[best_item], packed);
    }
}

// launch camera_normal_blocks: --kernel camera_normal_blocks --grid 1024 --block 128 --arg f32[393216]=-2..2 --arg f32[262144]=-1..1 --arg i32[131072]=0..1499 --arg i32[131072]=0..131071 --arg f32[18000]=-0.2..0.2 --arg f32[40500]=0 --arg f32:1.2 --arg f32:0.5 --arg i32:131072
// Photogrammetry: bundle adjustment; a thread per observation projects its point, forms the 2 by 6 Jacobian of the pose
// under a Huber weight, and adds 21 products and 6 slopes to its camera's block.
__global__ void camera_normal_blocks(const float *__restrict__ points, const float2 *__restrict__ seen,
                                     const int *__restrict__ camera_of, const int *__restrict__ point_of,
                                     const float *__restrict__ poses, float *blocks, float focal, float huber,
                                     int observations)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= observations) return;
    int camera = camera_of[o];
    int point = point_of[o];
    const float *pose = poses + camera * 12;
    float px = points[3 * point], py = points[3 * point + 1], pz = points[3 * point + 2];
    float x = px + pose[0] * px + pose[1] * py + pose[2] * pz + pose[9];
    float y = py + pose[3] * px + pose[4] * py + pose[5] * pz + pose[10];
    float z = pz + pose[6] * px + pose[7] * py + pose[8] * pz + pose[11] + 6.0f;
    if (z < 0.1f) return;
    float inv = 1.0f / z;
    float u = x * inv, v = y * inv;
    float2 s = seen[o];
    float ru = focal * u - s.x, rv = focal * v - s.y;
    float length = sqrtf(ru * ru + rv * rv);
    float w = length <= huber ? 1.0f : huber / length;
    float ju[6], jv[6];
    ju[0] = -focal * u * v;          jv[0] = -focal * (1.0f + v * v);
    ju[1] = focal * (1.0f + u * u);  jv[1] = focal * u * v;
    ju[2] = -focal * v;              jv[2] = focal * u;
    ju[3] = focal * inv;             jv[3] = 0.0f;
    ju[4] = 0.0f;                    jv[4] = focal * inv;
    ju[5] = -focal * u * inv;        jv[5] = -focal * v * inv;
    float *out = blocks + camera * 27;
    int k = 0;
#pragma unroll
    for (int i = 0; i < 6; ++i) {
#pragma unroll
        for (int j = i; j < 6; ++j) {
            atomicAdd(out + k, w * (ju[i] * ju[j] + jv[i] * jv[j]));
            ++k;
        }
    }
#pragma unroll
    for (int i = 0; i < 6; ++i)
        atomicAdd(out + 21 + i, -w * (ju[i] * ru + jv[i] * rv));
}

// launch hash_encoding_gradient: --kernel hash_encoding_gradient --grid 128,16 --block 256 --arg f32[98304]=0..1 --arg f16[1048576]=-0.01..0.01 --arg f16[4194304]=0 --arg f32:16 --arg f32:0.45 --arg u32:131072 --arg i32:32768
// Neural graphics: backward pass of a multi-level hashed feature grid; a thread per sample, a level per blockIdx.y,
// adds pairs of halves to the eight corners of its cell.
__global__ void hash_encoding_gradient(const float *__restrict__ positions, const __half2 *__restrict__ upstream,
                                       __half2 *table_gradient, float base_resolution, float log2_growth,
                                       unsigned table_size, int samples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples) return;
    int level = blockIdx.y;
    float scale = base_resolution * exp2f(level * log2_growth) - 1.0f;
    unsigned resolution = (unsigned)ceilf(scale) + 1u;
    bool dense = resolution <= 50u && resolution * resolution * resolution <= table_size;
    float frac[3];
    unsigned cell[3];
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        float p = positions[3 * i + d] * scale + 0.5f;
        float f = floorf(p);
        cell[d] = (unsigned)f;
        frac[d] = p - f;
    }
    float2 g = __half22float2(upstream[(size_t)level * samples + i]);
    __half2 *out = table_gradient + (size_t)level * table_size;
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
        float w = 1.0f;
        unsigned c[3];
#pragma unroll
        for (int d = 0; d < 3; ++d) {
            if (corner & (1 << d)) {
                w *= frac[d];
                c[d] = cell[d] + 1u;
            } else {
                w *= 1.0f - frac[d];
                c[d] = cell[d];
            }
        }
        unsigned index = dense ? c[0] + resolution * (c[1] + resolution * c[2])
                               : c[0] ^ (c[1] * 2654435761u) ^ (c[2] * 805459861u);
        atomicAdd(out + (index & (table_size - 1u)), __floats2half2_rn(w * g.x, w * g.y));
    }
}
