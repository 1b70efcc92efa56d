// Four of sorting and selecting: the likeliest tokens that make up a given mass, how many designs dominate each, four sorted lists merged by rank, Kendall's rank correlation by counting inversions.

__device__ __forceinline__ float4 sum_of_block(float4 v, float4* scratch)
{
    for (int o = 16; o > 0; o >>= 1) {
        v.x += __shfl_xor_sync(0xffffffffu, v.x, o);
        v.y += __shfl_xor_sync(0xffffffffu, v.y, o);
        v.z = fminf(v.z, __shfl_xor_sync(0xffffffffu, v.z, o));
        v.w = fmaxf(v.w, __shfl_xor_sync(0xffffffffu, v.w, o));
    }
    __syncthreads();
    if ((threadIdx.x & 31) == 0) scratch[threadIdx.x >> 5] = v;
    __syncthreads();
    v = scratch[0];
    for (int w = 1; w < (int)(blockDim.x >> 5); w++) {
        float4 u = scratch[w];
        v.x += u.x;
        v.y += u.y;
        v.z = fminf(v.z, u.z);
        v.w = fmaxf(v.w, u.w);
    }
    return v;
}

// launch nucleus_threshold: --kernel nucleus_threshold --grid 160 --block 512 --arg f32[5120000]=0..1 --arg f32[5120000] --arg f32[160] --arg i32:32000 --arg f32:0.9
// Text generation: keeps the fewest, likeliest tokens that hold 90 per cent of the probability, without a sort: the
// threshold is narrowed with two pivots a round until nothing lies between; one block for a row of the vocabulary.
__global__ void __launch_bounds__(512) nucleus_threshold(const float* __restrict__ probs, float* __restrict__ kept, float* __restrict__ threshold,
                                                         int vocabulary, float top_p)
{
    __shared__ float4 scratch[16];
    const float4* row = reinterpret_cast<const float4*>(probs + (size_t)blockIdx.x * vocabulary);
    float4* out = reinterpret_cast<float4*>(kept + (size_t)blockIdx.x * vocabulary);
    int vectors = vocabulary >> 2;

    float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int i = threadIdx.x; i < vectors; i += 512) {
        float4 v = row[i];
        acc.x += v.x + v.y + v.z + v.w;
        acc.w = fmaxf(acc.w, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    }
    acc = sum_of_block(acc, scratch);
    float goal = top_p * acc.x;
    float low = 0.0f, high = acc.w, mass_low = acc.x;
    // mass of those above low is at least the goal, mass of those above high is less
    for (int round = 0; round < 24; round++) {
        float p0 = (2.0f * low + high) / 3.0f;
        float p1 = (low + 2.0f * high) / 3.0f;
        acc = make_float4(0.0f, 0.0f, high, low);
        for (int i = threadIdx.x; i < vectors; i += 512) {
            float4 v = row[i];
            float e[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int k = 0; k < 4; k++) {
                if (e[k] > p0) acc.x += e[k];
                if (e[k] > p1) acc.y += e[k];
                if (e[k] > low) acc.z = fminf(acc.z, e[k]);
                if (e[k] <= high) acc.w = fmaxf(acc.w, e[k]);
            }
        }
        acc = sum_of_block(acc, scratch);
        if (acc.y >= goal) {
            low = p1;
            mass_low = acc.y;
        } else if (acc.x >= goal) {
            low = p0;
            high = fminf(p1, acc.w);
            mass_low = acc.x;
        } else {
            high = fminf(p0, acc.w);
        }
        if (acc.z == acc.w || !(low < high)) break;
    }
    float scale = 1.0f / mass_low;
    for (int i = threadIdx.x; i < vectors; i += 512) {
        float4 v = row[i];
        v.x = v.x > low ? v.x * scale : 0.0f;
        v.y = v.y > low ? v.y * scale : 0.0f;
        v.z = v.z > low ? v.z * scale : 0.0f;
        v.w = v.w > low ? v.w * scale : 0.0f;
        out[i] = v;
    }
    if (threadIdx.x == 0) threshold[blockIdx.x] = low;
}

// launch pareto_counts: --kernel pareto_counts --grid 50,10 --block 128 --arg f32[25600]=0..1 --arg i32[64000] --arg i32:6400
// Multi-objective optimisation: for each design, how many others are no worse in all four objectives and better in one
// (none: the first front); tiles of rivals pass through shared memory, and the rivals are split among grid.y.
__global__ void __launch_bounds__(128) pareto_counts(const float4* __restrict__ cost, int* __restrict__ dominated_by, int designs)
{
    __shared__ float4 tile[128];
    int me = blockIdx.x * 128 + threadIdx.x;
    float4 mine = me < designs ? cost[me] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    int share = (designs + gridDim.y - 1) / gridDim.y;
    int begin = blockIdx.y * share;
    int end = min(begin + share, designs);
    int count = 0;
    for (int base = begin; base < end; base += 128) {
        int in_tile = min(128, end - base);
        if ((int)threadIdx.x < in_tile) tile[threadIdx.x] = cost[base + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < in_tile; j++) {
            float4 o = tile[j];
            bool no_worse = o.x <= mine.x && o.y <= mine.y && o.z <= mine.z && o.w <= mine.w;
            bool better = o.x < mine.x || o.y < mine.y || o.z < mine.z || o.w < mine.w;
            if (no_worse && better) count++;
        }
        __syncthreads();
    }
    if (me < designs) dominated_by[(size_t)blockIdx.y * designs + me] = count;
}

// how many of list[lo, hi) come before the key; of equals only those of earlier lists
__device__ __forceinline__ int place_in(const unsigned* __restrict__ list, int lo, int hi, unsigned key, bool earlier)
{
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        unsigned k = __ldg(list + mid);
        if (k < key || (earlier && k == key)) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

// launch four_way_merge: --kernel four_way_merge --grid 512,4 --block 256 --arg u32[524288]=0+911 --arg u32[500000]=17+953 --arg u32[520000]=5+917 --arg u32[470000]=40+1013 --arg i32:524288 --arg i32:500000 --arg i32:520000 --arg i32:470000 --arg u32[2014288] --arg u32[2014288]
// Log-structured stores: merges four sorted tables; each key finds its rank in the other three by binary search between
// bounds found once for a block's tile of 1024 keys. grid.y is the table whose keys are placed.
__global__ void __launch_bounds__(256) four_way_merge(const unsigned* __restrict__ k0, const unsigned* __restrict__ k1,
                                                      const unsigned* __restrict__ k2, const unsigned* __restrict__ k3,
                                                      int n0, int n1, int n2, int n3,
                                                      unsigned* __restrict__ merged, unsigned* __restrict__ source)
{
    __shared__ int low[4], high[4];
    int own = blockIdx.y;
    const unsigned* mine = own == 0 ? k0 : own == 1 ? k1 : own == 2 ? k2 : k3;
    int n = own == 0 ? n0 : own == 1 ? n1 : own == 2 ? n2 : n3;
    int first = blockIdx.x * 1024;
    if (first >= n) return;
    int last = min(first + 1024, n) - 1;
    if (threadIdx.x < 8) {
        int s = threadIdx.x >> 1;
        const unsigned* list = s == 0 ? k0 : s == 1 ? k1 : s == 2 ? k2 : k3;
        int length = s == 0 ? n0 : s == 1 ? n1 : s == 2 ? n2 : n3;
        bool top = threadIdx.x & 1;
        int at = place_in(list, 0, length, mine[top ? last : first], s < own);
        if (top) high[s] = at;
        else low[s] = at;
    }
    __syncthreads();
    for (int i = first + threadIdx.x; i <= last; i += 256) {
        unsigned key = mine[i];
        int rank = i;
        if (own != 0) rank += place_in(k0, low[0], high[0], key, true);
        if (own != 1) rank += place_in(k1, low[1], high[1], key, 1 < own);
        if (own != 2) rank += place_in(k2, low[2], high[2], key, 2 < own);
        if (own != 3) rank += place_in(k3, low[3], high[3], key, false);
        merged[rank] = key;
        source[rank] = ((unsigned)own << 30) | (unsigned)i;
    }
}

// launch kendall_inversions: --kernel kendall_inversions --grid 792 --block 256 --arg f32[811008]=-1..1 --arg f32[792]
// Statistics: Kendall's tau of a series whose partner is already in order, from the inversions that a merge sort meets;
// every element finds its place in the neighbouring run by binary search; one block for 1024 values.
__global__ void __launch_bounds__(256) kendall_inversions(const float* __restrict__ series, float* __restrict__ tau)
{
    __shared__ float buffer[2][1024];
    __shared__ int of_warp[8];
    const int n = 1024;
    for (int i = threadIdx.x; i < n; i += 256) buffer[0][i] = series[(size_t)blockIdx.x * n + i];
    __syncthreads();
    int inversions = 0;
    int from = 0;
    for (int run = 1; run < n; run *= 2) {
        const float* in = buffer[from];
        float* out = buffer[from ^ 1];
        for (int i = threadIdx.x; i < n; i += 256) {
            float v = in[i];
            bool right = (i & run) != 0;
            int pair = i & ~(2 * run - 1);
            int other = right ? pair : pair + run;
            int lo = 0, hi = run;
            while (lo < hi) {
                int mid = (lo + hi) >> 1;
                float o = in[other + mid];
                bool before = right ? o <= v : o < v;
                if (before) lo = mid + 1;
                else hi = mid;
            }
            if (right) inversions += run - lo;
            out[pair + (i & (run - 1)) + lo] = v;
        }
        __syncthreads();
        from ^= 1;
    }
    for (int o = 16; o > 0; o >>= 1) inversions += __shfl_down_sync(0xffffffffu, inversions, o);
    if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = inversions;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < 8; w++) total += of_warp[w];
        tau[blockIdx.x] = 1.0f - 4.0f * (float)total / ((float)n * (float)(n - 1));
    }
}
