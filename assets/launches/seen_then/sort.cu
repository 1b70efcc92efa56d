// Four sorts: trimmed means by a network in registers, rank sums of genes by a bitonic sort, names of sixteen letters by merging ranks, percentiles of cloudless scenes by insertion.
#include <cuda_fp16.h>

__device__ __forceinline__ void order_pair(float& a, float& b)
{
    const float lo = fminf(a, b), hi = fmaxf(a, b);
    a = lo;
    b = hi;
}

// launch trimmed_mean_of_workers: --kernel trimmed_mean_of_workers --grid 4096 --block 256 --arg f32[16777216]=-1..1 --arg f32[1048576] --arg i32:1048576
// Federated learning that withstands bad workers: for each parameter the mean of the middle ten of 16 workers' gradients;
// a thread sorts its 16 values in registers by Batcher's odd-even merge network.
__global__ void __launch_bounds__(256) trimmed_mean_of_workers(const float* __restrict__ gradients, float* __restrict__ mean, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[16];
#pragma unroll
    for (int w = 0; w < 16; ++w) v[w] = gradients[(size_t)w * n + i];
#pragma unroll
    for (int p = 1; p < 16; p *= 2)
#pragma unroll
        for (int k = p; k >= 1; k /= 2)
#pragma unroll
            for (int j = 0; j < 16; ++j)
                if (j >= k % p && ((j - k % p) / k) % 2 == 0 && j + k < 16)
                    if (j / (2 * p) == (j + k) / (2 * p)) order_pair(v[j], v[j + k]);
    float s = 0.f;
#pragma unroll
    for (int w = 3; w < 13; ++w) s += v[w];
    mean[i] = s * 0.1f;
}

// launch rank_sums_of_genes: --kernel rank_sums_of_genes --grid 1024 --block 256 --arg u16[524288]=0..400 --arg u8[512]=0..1 --arg f32[1024] --arg i32:512
// Single-cell biology: Wilcoxon's rank-sum score of each gene between two groups of 512 cells; a block sorts a gene's counts
// with the group in the low bit (bitonic, shared memory), gives ties their mean rank and corrects the variance.
__global__ void __launch_bounds__(256) rank_sums_of_genes(const unsigned short* __restrict__ counts,
                                                          const unsigned char* __restrict__ group,
                                                          float* __restrict__ score, int cells)
{
    __shared__ unsigned key[512];
    __shared__ float part[3][8];
    const int gene = blockIdx.x;
    for (int c = threadIdx.x; c < 512; c += 256)
        key[c] = c < cells ? ((unsigned)counts[(size_t)gene * cells + c] << 1) | group[c] : 0xffffffffu;
    __syncthreads();
    for (int size = 2; size <= 512; size <<= 1) {
        for (int gap = size >> 1; gap > 0; gap >>= 1) {
            const int lo = 2 * threadIdx.x - (threadIdx.x & (gap - 1));
            const int hi = lo + gap;
            const bool down = (lo & size) != 0;
            const unsigned a = key[lo], b = key[hi];
            if ((a > b) != down) {
                key[lo] = b;
                key[hi] = a;
            }
            __syncthreads();
        }
    }
    float ranks = 0.f, ties = 0.f, members = 0.f;
    for (int c = threadIdx.x; c < cells; c += 256) {
        const unsigned k = key[c];
        const unsigned value = k >> 1;
        int lo = 0, hi = c;
        while (lo < hi) {
            const int mid = (lo + hi) >> 1;
            if ((key[mid] >> 1) < value) lo = mid + 1; else hi = mid;
        }
        const int first = lo;
        lo = c + 1;
        hi = cells;
        while (lo < hi) {
            const int mid = (lo + hi) >> 1;
            if ((key[mid] >> 1) <= value) lo = mid + 1; else hi = mid;
        }
        const float same = (float)(lo - first);
        if (k & 1u) {
            ranks += 0.5f * (float)(first + lo + 1);
            members += 1.f;
        }
        ties += same * same - 1.f;
    }
    for (int s = 16; s > 0; s >>= 1) {
        ranks += __shfl_xor_sync(0xffffffffu, ranks, s);
        ties += __shfl_xor_sync(0xffffffffu, ties, s);
        members += __shfl_xor_sync(0xffffffffu, members, s);
    }
    if ((threadIdx.x & 31) == 0) {
        part[0][threadIdx.x >> 5] = ranks;
        part[1][threadIdx.x >> 5] = ties;
        part[2][threadIdx.x >> 5] = members;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ranks = ties = members = 0.f;
        for (int w = 0; w < 8; ++w) {
            ranks += part[0][w];
            ties += part[1][w];
            members += part[2][w];
        }
        const float n = (float)cells, rest = n - members;
        const float expected = members * (n + 1.f) * 0.5f;
        const float variance = members * rest / 12.f * ((n + 1.f) - ties / (n * (n - 1.f)));
        score[gene] = variance > 0.f ? (ranks - expected) * rsqrtf(variance) : 0.f;
    }
}

__device__ __forceinline__ bool name_before(const unsigned (*word)[256], int a, int b, bool when_equal)
{
    for (int w = 0; w < 4; ++w) {
        const unsigned x = word[w][a], y = word[w][b];
        if (x != y) return x < y;
    }
    return when_equal;
}

// launch sort_names_of_block: --kernel sort_names_of_block --grid 2048 --block 256 --arg u8[8388608]=97..104 --arg u16[524288] --arg i32:524288
// Databases: the order of 256 strings of 16 letters in each block; the letters stay in shared memory, the row numbers
// are merged run by run, each thread searching its row's rank in the partner run (stable).
__global__ void __launch_bounds__(256) sort_names_of_block(const uint4* __restrict__ names, unsigned short* __restrict__ order, int n)
{
    __shared__ unsigned word[4][256];
    __shared__ unsigned short rows[2][256];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 256 + t;
    uint4 v = make_uint4(~0u, ~0u, ~0u, ~0u);
    if (i < n) v = names[i];
    word[0][t] = __byte_perm(v.x, 0, 0x0123);
    word[1][t] = __byte_perm(v.y, 0, 0x0123);
    word[2][t] = __byte_perm(v.z, 0, 0x0123);
    word[3][t] = __byte_perm(v.w, 0, 0x0123);
    rows[0][t] = (unsigned short)t;
    __syncthreads();
    int from = 0;
    for (int run = 1; run < 256; run <<= 1) {
        const int mine = rows[from][t];
        const bool second = (t & run) != 0;
        const int pair = t & ~(2 * run - 1);
        const int partner = second ? pair : pair + run;
        int lo = 0, hi = run;
        while (lo < hi) {
            const int mid = (lo + hi) >> 1;
            if (name_before(word, rows[from][partner + mid], mine, second)) lo = mid + 1; else hi = mid;
        }
        rows[from ^ 1][pair + (t & (run - 1)) + lo] = (unsigned short)mine;
        from ^= 1;
        __syncthreads();
    }
    if (i < n) order[i] = rows[from][t];
}

// launch percentile_composites: --kernel percentile_composites --grid 2048 --block 128 --arg u16[6291456]=0..10000 --arg u8[6291456]=0..3 --arg f32[262144] --arg i32:262144 --arg f32:0.2
// Remote sensing: of 24 scenes' reflectances, those without cloud are sorted by insertion in a thread's own column of shared
// memory, and a percentile between two neighbours is taken; pixels with no clear scene get -1.
__global__ void percentile_composites(const unsigned short* __restrict__ scenes, const unsigned char* __restrict__ flags,
                                      float* __restrict__ composite, int pixels, float fraction)
{
    __shared__ unsigned short column[24][128];
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    const int t = threadIdx.x;
    int n = 0;
    for (int s = 0; s < 24; ++s) {
        const unsigned char flag = flags[(size_t)s * pixels + p];
        if (flag & 1) continue;
        const unsigned short v = scenes[(size_t)s * pixels + p];
        int k = n;
        while (k > 0 && column[k - 1][t] > v) {
            column[k][t] = column[k - 1][t];
            --k;
        }
        column[k][t] = v;
        ++n;
    }
    float result = -1.f;
    if (n > 0) {
        const float where = fraction * (float)(n - 1);
        const int below = (int)where;
        const int above = min(below + 1, n - 1);
        const float a = column[below][t], b = column[above][t];
        result = a + (where - (float)below) * (b - a);
    }
    composite[p] = result;
}
