// Four kernels that sort or keep order: running medians, a merge by binary ranks, suppression of boxes by score, adjusted p-values.
#include <cuda_fp16.h>

// launch running_median_of_series: --kernel running_median_of_series --grid 256 --block 64 --arg f32[1966080]=-1..1 --arg f32[1474560] --arg i32:16384 --arg i32:120
// Time series: the median of a sliding window of 31 samples, for each of many series stored time after time.
// A thread a series; its window is kept in order in shared memory, the oldest sample replaced by the newest.
__global__ void running_median_of_series(const float* __restrict__ x, float* __restrict__ med, int series, int steps)
{
    const int W = 31;
    __shared__ float win[W][64];
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    int l = threadIdx.x;
    if (s >= series) return;
    for (int t = 0; t < W; t++) {
        float v = x[(size_t)t * series + s];
        int p = t;
        while (p > 0 && win[p - 1][l] > v) {
            win[p][l] = win[p - 1][l];
            p--;
        }
        win[p][l] = v;
    }
    med[s] = win[W / 2][l];
    for (int t = W; t < steps; t++) {
        float fresh = x[(size_t)t * series + s];
        float old = x[(size_t)(t - W) * series + s];
        // where the oldest sits, by halves
        int lo = 0, hi = W - 1;
        while (lo < hi) {
            int mid = (lo + hi) >> 1;
            if (win[mid][l] < old) lo = mid + 1; else hi = mid;
        }
        int p = lo;
        if (fresh > old) {
            while (p < W - 1 && win[p + 1][l] < fresh) {
                win[p][l] = win[p + 1][l];
                p++;
            }
        } else {
            while (p > 0 && win[p - 1][l] > fresh) {
                win[p][l] = win[p - 1][l];
                p--;
            }
        }
        win[p][l] = fresh;
        med[(size_t)(t - W + 1) * series + s] = win[W / 2][l];
    }
}

// launch merge_by_binary_ranks: --kernel merge_by_binary_ranks --grid 6144 --block 256 --arg i32[655360]=0+3 --arg f32[655360]=0..1 --arg i32:655360 --arg i32[917504]=5+2 --arg f32[917504]=0..1 --arg i32:917504 --arg i32[1572864] --arg f32[1572864]
// Databases: two tables ordered by key become one. A thread a row: its place is its own number plus its rank in the
// other table, found by bisection; equal keys put the first table's rows first.
__global__ void merge_by_binary_ranks(const int* ka, const float* va, int na, const int* kb, const float* vb, int nb, int* kout, float* vout)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < na) {
        int key = ka[t];
        int lo = 0, hi = nb;
        while (lo < hi) {
            int mid = lo + ((hi - lo) >> 1);
            if (kb[mid] < key) lo = mid + 1; else hi = mid;
        }
        kout[t + lo] = key;
        vout[t + lo] = va[t];
    } else if (t - na < nb) {
        int i = t - na;
        int key = kb[i];
        int lo = 0, hi = na;
        while (lo < hi) {
            int mid = lo + ((hi - lo) >> 1);
            if (ka[mid] <= key) lo = mid + 1; else hi = mid;
        }
        kout[i + lo] = key;
        vout[i + lo] = vb[i];
    }
}

// launch suppress_weaker_boxes: --kernel suppress_weaker_boxes --grid 264 --block 256 --arg f32[270336]=0..1 --arg f32[67584]=0..1 --arg u8[67584] --arg i32[264] --arg f32:0.45 --arg f32:0.05
// Object detection: non-maximum suppression of the 256 candidates of an image and class. A block a class: order by
// score (bitonic), overlaps as bit masks, then one warp goes greedily down the list.
__global__ void __launch_bounds__(256) suppress_weaker_boxes(const float4* __restrict__ boxes, const float* __restrict__ scores,
    unsigned char* __restrict__ keep, int* __restrict__ kept, float overlap, float least)
{
    const int N = 256;
    __shared__ unsigned long long key[N];
    __shared__ float4 box[N];
    __shared__ unsigned mask[N][N / 32 + 1];
    __shared__ unsigned gone_words[N / 32];
    int t = threadIdx.x;
    int base = blockIdx.x * N;

    float sc = scores[base + t];
    // large scores first: scores are not negative, so their bits are in order
    key[t] = ((unsigned long long)(~__float_as_uint(sc)) << 32) | (unsigned)t;
    __syncthreads();
    for (int size = 2; size <= N; size <<= 1) {
        for (int step = size >> 1; step > 0; step >>= 1) {
            if (t < N / 2) {
                int i = 2 * t - (t & (step - 1));
                int j = i + step;
                bool up = (i & size) == 0;
                unsigned long long a = key[i], b = key[j];
                if ((a > b) == up) {
                    key[i] = b;
                    key[j] = a;
                }
            }
            __syncthreads();
        }
    }
    int who = (int)(key[t] & 0xffffffffu);
    float score = __uint_as_float(~(unsigned)(key[t] >> 32));
    float4 b = boxes[base + who];
    float x0 = b.x, y0 = b.y, x1 = b.x + 0.3f * b.z, y1 = b.y + 0.3f * b.w;
    box[t] = make_float4(x0, y0, x1, y1);
    __syncthreads();

    float area = (x1 - x0) * (y1 - y0);
    for (int w = 0; w < N / 32; w++) {
        unsigned bits = 0;
        if (w >= t / 32) {
            int first = w == t / 32 ? (t & 31) + 1 : 0;
            for (int k = first; k < 32; k++) {
                float4 o = box[w * 32 + k];
                float iw = fminf(x1, o.z) - fmaxf(x0, o.x);
                float ih = fminf(y1, o.w) - fmaxf(y0, o.y);
                if (iw > 0.0f && ih > 0.0f) {
                    float inter = iw * ih;
                    float both = area + (o.z - o.x) * (o.w - o.y) - inter;
                    if (inter > overlap * both) bits |= 1u << k;
                }
            }
        }
        mask[t][w] = bits;
    }
    unsigned weak = __ballot_sync(0xffffffffu, score < least);
    if ((t & 31) == 0) gone_words[t >> 5] = weak;
    __syncthreads();

    if (t < 32) {
        unsigned gone = t < N / 32 ? gone_words[t] : 0u;
        for (int i = 0; i < N; i++) {
            unsigned word = __shfl_sync(0xffffffffu, gone, i >> 5);
            if (!((word >> (i & 31)) & 1u)) {
                if (t < N / 32) gone |= mask[i][t];
            }
        }
        int n = t < N / 32 ? __popc(~gone) : 0;
        for (int o = 4; o > 0; o >>= 1) n += __shfl_down_sync(0xffffffffu, n, o);
        if (t < N / 32) gone_words[t] = gone;
        if (t == 0) kept[blockIdx.x] = n;
    }
    __syncthreads();
    keep[base + who] = (gone_words[t >> 5] >> (t & 31)) & 1u ? 0 : 1;
}

// launch adjust_p_values: --kernel adjust_p_values --grid 528 --block 128 --arg f32[528000]=0..1 --arg f32[528000] --arg i32:1000
// Statistics, genomics: Benjamini and Hochberg's false discovery rates of families of up to 1024 tests. A block a
// family: eight in order in registers, merges of growing runs in shared memory, then a running minimum from the end.
__global__ void __launch_bounds__(128) adjust_p_values(const float* __restrict__ p, float* __restrict__ q, int tests)
{
    const int PER = 8, T = 128, N = PER * T;
    __shared__ float ps[N];
    __shared__ short ids[N];
    __shared__ float least[T / 32];
    int t = threadIdx.x;
    const float* row = p + (size_t)blockIdx.x * tests;

    for (int i = t; i < N; i += T) ps[i] = i < tests ? row[i] : 2.0f;
    __syncthreads();
    float k[PER];
    int id[PER];
#pragma unroll
    for (int i = 0; i < PER; i++) {
        k[i] = ps[t * PER + i];
        id[i] = t * PER + i;
    }
#pragma unroll
    for (int r = 0; r < PER; r++) {
#pragma unroll
        for (int i = r & 1; i + 1 < PER; i += 2) {
            if (k[i + 1] < k[i]) {
                float f = k[i]; k[i] = k[i + 1]; k[i + 1] = f;
                int j = id[i]; id[i] = id[i + 1]; id[i + 1] = j;
            }
        }
    }
    for (int width = 1; width < T; width <<= 1) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PER; i++) {
            ps[t * PER + i] = k[i];
            ids[t * PER + i] = (short)id[i];
        }
        __syncthreads();
        int run = width * PER;
        int a0 = (t & ~(2 * width - 1)) * PER;
        int b0 = a0 + run;
        int d = (t & (2 * width - 1)) * PER;
        int lo = max(0, d - run), hi = min(d, run);
        while (lo < hi) {
            int mid = (lo + hi) >> 1;
            if (ps[a0 + mid] <= ps[b0 + d - 1 - mid]) lo = mid + 1; else hi = mid;
        }
        int ia = a0 + lo, ib = b0 + d - lo;
        int ea = b0, eb = b0 + run;
#pragma unroll
        for (int i = 0; i < PER; i++) {
            bool left = ib >= eb || (ia < ea && ps[ia] <= ps[ib]);
            int from = left ? ia : ib;
            k[i] = ps[from];
            id[i] = ids[from];
            if (left) ia++; else ib++;
        }
    }
    // p * n / rank, then the least of all at or behind
    float m = 1.0f;
#pragma unroll
    for (int i = PER - 1; i >= 0; i--) {
        int rank = t * PER + i + 1;
        if (rank <= tests) m = fminf(m, k[i] * (float)tests / (float)rank);
        k[i] = m;
    }
    int lane = t & 31;
    float tail = m;
    for (int o = 1; o < 32; o <<= 1) {
        float other = __shfl_down_sync(0xffffffffu, tail, o);
        if (lane + o < 32) tail = fminf(tail, other);
    }
    if (lane == 0) least[t >> 5] = tail;
    float behind = __shfl_down_sync(0xffffffffu, tail, 1);
    if (lane == 31) behind = 1.0f;
    __syncthreads();
    for (int w = (t >> 5) + 1; w < T / 32; w++) behind = fminf(behind, least[w]);
#pragma unroll
    for (int i = 0; i < PER; i++)
        if (id[i] < tests) q[(size_t)blockIdx.x * tests + id[i]] = fminf(k[i], behind);
}
