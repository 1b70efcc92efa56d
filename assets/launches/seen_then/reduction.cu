// Four reductions: soft Dice overlaps of a segmentation, energy and magnetisation of bit-packed spins, Hausdorff distance of point sets, MinHash signatures of documents.
#include <cuda_fp16.h>

// launch dice_sums: --kernel dice_sums --grid 32,16 --block 256 --arg f32[8388608]=-4..4 --arg u8[1048576]=0..7 --arg f32[12288] --arg i32:65536
// Medical image segmentation: softmax over 8 class planes at each pixel, then sums of overlap, of probabilities and of
// labels for each class; a block takes 2048 pixels of one image and writes 24 partial sums.
__global__ void __launch_bounds__(256) dice_sums(const float* __restrict__ logits, const unsigned char* __restrict__ labels,
                                                 float* __restrict__ partial, int pixels)
{
    const int C = 8;
    const int image = blockIdx.y;
    const float* planes = logits + (size_t)image * C * pixels;
    const unsigned char* lab = labels + (size_t)image * pixels;
    float both[C], prob[C], truth[C];
#pragma unroll
    for (int c = 0; c < C; ++c) both[c] = prob[c] = truth[c] = 0.f;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < pixels; p += gridDim.x * blockDim.x) {
        float v[C];
        float top = -1e30f;
#pragma unroll
        for (int c = 0; c < C; ++c) {
            v[c] = planes[(size_t)c * pixels + p];
            top = fmaxf(top, v[c]);
        }
        float total = 0.f;
#pragma unroll
        for (int c = 0; c < C; ++c) {
            v[c] = __expf(v[c] - top);
            total += v[c];
        }
        const float inv = 1.f / total;
        const int t = lab[p];
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const float q = v[c] * inv;
            prob[c] += q;
            if (t == c) {
                both[c] += q;
                truth[c] += 1.f;
            }
        }
    }
    __shared__ float sums[8][3 * C];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
#pragma unroll
    for (int c = 0; c < C; ++c) {
        float a = both[c], b = prob[c], d = truth[c];
        for (int s = 16; s > 0; s >>= 1) {
            a += __shfl_down_sync(0xffffffffu, a, s);
            b += __shfl_down_sync(0xffffffffu, b, s);
            d += __shfl_down_sync(0xffffffffu, d, s);
        }
        if (lane == 0) {
            sums[warp][3 * c] = a;
            sums[warp][3 * c + 1] = b;
            sums[warp][3 * c + 2] = d;
        }
    }
    __syncthreads();
    if (threadIdx.x < 3 * C) {
        float s = 0.f;
        for (int w = 0; w < 8; ++w) s += sums[w][threadIdx.x];
        partial[(image * gridDim.x + blockIdx.x) * 3 * C + threadIdx.x] = s;
    }
}

// launch ising_energy: --kernel ising_energy --grid 4,256 --block 256 --arg u32[8388608]=0..4294967295 --arg u64[2]=0 --arg i32:1024 --arg i32:8192
// Statistical physics: energy and magnetisation of a periodic lattice with 32 spins to a word; a thread walks down a
// strip of rows in one column of words, the right neighbour's bit comes by shuffle.
__global__ void ising_energy(const unsigned* spins, unsigned long long* totals, int words, int rows)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int strip = rows / gridDim.y;
    const int first = blockIdx.y * strip;
    const int lane = threadIdx.x & 31;
    if (x >= words) return;
    const int next_x = (x + 1 == words) ? 0 : x + 1;
    int unlike = 0, up = 0;
    unsigned here = spins[(size_t)first * words + x];
    for (int r = 0; r < strip; ++r) {
        const int y = first + r;
        const int below_y = (y + 1 == rows) ? 0 : y + 1;
        const unsigned below = spins[(size_t)below_y * words + x];
        unsigned right = __shfl_down_sync(0xffffffffu, here, 1);
        if (lane == 31) right = spins[(size_t)y * words + next_x];
        const unsigned shifted = __funnelshift_r(here, right, 1);
        unlike += __popc(here ^ shifted) + __popc(here ^ below);
        up += __popc(here);
        here = below;
    }
    unlike = __reduce_add_sync(0xffffffffu, unlike);
    up = __reduce_add_sync(0xffffffffu, up);
    __shared__ int shared_unlike, shared_up;
    if (threadIdx.x == 0) shared_unlike = shared_up = 0;
    __syncthreads();
    if (lane == 0) {
        atomicAdd(&shared_unlike, unlike);
        atomicAdd(&shared_up, up);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&totals[0], (unsigned long long)shared_unlike);
        atomicAdd(&totals[1], (unsigned long long)shared_up);
    }
}

// launch hausdorff_distance: --kernel hausdorff_distance --grid 256 --block 32,8 --arg f32[32768]=-1..1 --arg f32[32768]=-1..1 --arg i32[1]=0 --arg i32:8192 --arg i32:8192
// Shape comparison: the greatest of the distances from points of one cloud to the nearest of the other; 32 points a block,
// eight warps share the other cloud's tiles, one atomic maximum a block.
__global__ void __launch_bounds__(256) hausdorff_distance(const float4* __restrict__ from, const float4* __restrict__ to,
                                                          int* __restrict__ greatest, int n_from, int n_to)
{
    __shared__ float4 tile[256];
    __shared__ float nearest[8][32];
    const int i = blockIdx.x * 32 + threadIdx.x;
    const int t = threadIdx.y * 32 + threadIdx.x;
    float4 a = make_float4(0.f, 0.f, 0.f, 0.f);
    if (i < n_from) a = from[i];
    float best = 3.0e38f;
    for (int base = 0; base < n_to; base += 256) {
        if (base + t < n_to)
            tile[t] = to[base + t];
        else
            tile[t] = make_float4(1e18f, 1e18f, 1e18f, 0.f);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 32; ++k) {
            const float4 b = tile[threadIdx.y * 32 + k];
            const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            best = fminf(best, dx * dx + dy * dy + dz * dz);
        }
        __syncthreads();
    }
    nearest[threadIdx.y][threadIdx.x] = best;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int w = 1; w < 8; ++w) best = fminf(best, nearest[w][threadIdx.x]);
        if (i >= n_from) best = 0.f;
        for (int s = 16; s > 0; s >>= 1) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, s));
        if (threadIdx.x == 0) atomicMax(greatest, __float_as_int(best));
    }
}

// launch minhash_signatures: --kernel minhash_signatures --grid 4096 --block 128 --arg u32[819200]=0..4294967295 --arg i32[4096]=0+200 --arg i32[4096]=50..200 --arg u32[128]=1..4294967295 --arg u32[128]=0..4294967295 --arg u32[524288]
// Search for near-duplicate documents: for each of 128 hash functions the least hash over the document's shingles; a block
// takes a document, a thread one hash function, the shingles pass through shared memory.
__global__ void minhash_signatures(const unsigned* __restrict__ shingles, const int* __restrict__ start,
                                   const int* __restrict__ length, const unsigned* __restrict__ mul,
                                   const unsigned* __restrict__ add, unsigned* __restrict__ signature)
{
    __shared__ unsigned piece[128];
    const int doc = blockIdx.x;
    const int n = length[doc];
    const unsigned* s = shingles + start[doc];
    const unsigned a = mul[threadIdx.x] | 1u, b = add[threadIdx.x];
    unsigned least = 0xffffffffu;
    for (int base = 0; base < n; base += 128) {
        const int m = min(128, n - base);
        if (threadIdx.x < m) {
            unsigned x = s[base + threadIdx.x];
            x ^= x >> 16;
            x *= 0x85ebca6bu;
            x ^= x >> 13;
            piece[threadIdx.x] = x;
        }
        __syncthreads();
        for (int k = 0; k < m; ++k) {
            unsigned h = piece[k] * a + b;
            h ^= h >> 15;
            least = min(least, h);
        }
        __syncthreads();
    }
    signature[doc * 128 + threadIdx.x] = least;
}
