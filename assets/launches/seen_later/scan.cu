// Scans: the largest so far, states of an automaton, ranks of bits, and advantages from the end to the beginning.

// launch drawdown_paths: --kernel drawdown_paths --grid 6000 --block 256 --arg f64[6144000]=50..150 --arg f64[6144000]
// Finance: how far each of 6,000 prices lies below the highest before it, over 1,024 days in doubles.
// A scan of maxima: four days a thread, then the warp, then the block.
__global__ void drawdown_paths(const double2* __restrict__ prices, double2* __restrict__ out) {
    __shared__ double held[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, at = blockIdx.x * 512 + t * 2;
    double2 a = prices[at], b = prices[at + 1];
    double m0 = a.x, m1 = fmax(m0, a.y), m2 = fmax(m1, b.x), m3 = fmax(m2, b.y), most = m3;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        double left = __shfl_up_sync(~0u, most, step);
        if (lane >= step) most = fmax(most, left);
    }
    if (lane == 31) held[warp] = most;
    double before = __shfl_up_sync(~0u, most, 1);
    if (lane == 0) before = 0;
    __syncthreads();
    for (int w = 0; w < warp; ++w) before = fmax(before, held[w]);
    m0 = fmax(m0, before), m1 = fmax(m1, before), m2 = fmax(m2, before), m3 = fmax(m3, before);
    out[at] = make_double2(1 - a.x / m0, 1 - a.y / m1);
    out[at + 1] = make_double2(1 - b.x / m2, 1 - b.y / m3);
}

__device__ unsigned then(unsigned first, unsigned second) {
    unsigned a = second >> (first << 1 & 6) & 3, b = second >> (first >> 1 & 6) & 3;
    unsigned c = second >> (first >> 3 & 6) & 3, d = second >> (first >> 5 & 6) & 3;
    return a | b << 2 | c << 4 | d << 6;
}

// launch automaton_states: --kernel automaton_states --grid 2048 --block 512 --arg u8[16777216]=0..255 --arg u8[256]=0..255 --arg u8[16777216] --arg u32:0
// An automaton of four states reads text: each letter is a function of the state, eight bits wide.
// Functions are composed sixteen letters a thread, then over warp and block, and then the states are written.
__global__ void __launch_bounds__(512) automaton_states(const uint4* __restrict__ text,
                                                        const unsigned char* __restrict__ functions,
                                                        uint4* __restrict__ states, unsigned start) {
    __shared__ unsigned table[256], of_warps[16];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, at = blockIdx.x * 512 + t;
    if (t < 256) table[t] = functions[t];
    uint4 letters = text[at];
    unsigned words[4] = {letters.x, letters.y, letters.z, letters.w}, all = 0xe4;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) all = then(all, table[words[k / 4] >> k % 4 * 8 & 255]);
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, all, step);
        if (lane >= step) all = then(left, all);
    }
    if (lane == 31) of_warps[warp] = all;
    unsigned before = __shfl_up_sync(~0u, all, 1);
    if (lane == 0) before = 0xe4;
    __syncthreads();
    unsigned state = start;
    for (int w = 0; w < warp; ++w) state = of_warps[w] >> 2 * state & 3;
    state = before >> 2 * state & 3;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        unsigned word = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            state = table[words[k] >> 8 * j & 255] >> 2 * state & 3;
            word |= state << 8 * j;
        }
        words[k] = word;
    }
    states[at] = make_uint4(words[0], words[1], words[2], words[3]);
}

// launch rank_directory: --kernel rank_directory --grid 12000 --block 128 --arg u8[49152000]=0..255 --arg u8[3072000] --arg u32[12000]
// A directory for a succinct string of bits: how many ones come before each 256 bits of a large block, in 16 bits.
// Eight words a thread are counted, and the counts scanned.
__global__ void rank_directory(const uint4* __restrict__ bits, unsigned short* __restrict__ ranks,
                               unsigned* __restrict__ totals) {
    __shared__ unsigned held[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, at = blockIdx.x * 128 + t;
    uint4 a = bits[2 * at], b = bits[2 * at + 1];
    unsigned count = __popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w) + __popc(b.x) + __popc(b.y) + __popc(b.z) +
                     __popc(b.w);
    unsigned sum = count;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) held[warp] = sum;
    __syncthreads();
    unsigned before = sum - count;
#pragma unroll
    for (int w = 0; w < 3; ++w)
        if (w < warp) before += held[w];
    ranks[at] = (unsigned short)before;
    if (t == 127) totals[blockIdx.x] = before + count;
}

// launch advantages_backwards: --kernel advantages_backwards --grid 160 --block 96 --arg f32[2949120]=-1..1 --arg f32[2964480]=-1..1 --arg u8[2949120]=0..255 --arg f32[2949120] --arg f32[2949120] --arg i32:192 --arg f32:0.99 --arg f32:0.95
// Reinforcement learning: how much better each action was than expected, summed from the last step to the first.
// A game a thread, 192 steps; where a game ended, the sum begins anew.
__global__ void advantages_backwards(const float* __restrict__ rewards, const float* __restrict__ values,
                                     const unsigned char* __restrict__ ended, float* __restrict__ advantages,
                                     float* __restrict__ returns, int steps, float discount, float trace) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, games = gridDim.x * blockDim.x;
    float next = values[steps * games + i], sum = 0;
    for (int step = steps - 1; step >= 0; --step) {
        int at = step * games + i;
        float goes_on = ended[at] < 3 ? 0.0f : 1.0f, value = values[at];
        float surprise = rewards[at] + discount * next * goes_on - value;
        sum = surprise + discount * trace * goes_on * sum;
        advantages[at] = sum;
        returns[at] = sum + value;
        next = value;
    }
}
