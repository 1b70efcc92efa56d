// Divergent and bound by latency: waves through a warp, stacks of one's own, paths that end early, recurrences.

// launch align_sequences: --kernel align_sequences --grid 4096 --block 32 --arg u8[524288]=0..3 --arg u8[1048576]=0..3 --arg i32[4096]
// Smith-Waterman with affine gaps: a warp a pair of 128 and 256 letters, four columns a lane, each lane a row behind
// the lane before it.
__global__ void align_sequences(const uchar4* __restrict__ queries, const unsigned char* __restrict__ targets,
                                int* best) {
    int pair = blockIdx.x, lane = threadIdx.x;
    uchar4 letters = queries[pair * 32 + lane];
    int query[4] = {letters.x, letters.y, letters.z, letters.w};
    int above[4] = {}, down[4] = {-99, -99, -99, -99};
    int diagonal = 0, last = 0, across = -99, most = 0;
    for (int step = 0; step < 256 + 31; ++step) {
        int left = __shfl_up_sync(~0u, last, 1), gap = __shfl_up_sync(~0u, across, 1), row = step - lane;
        if (lane == 0) left = 0, gap = -99;
        if (row < 0 || row >= 256) continue;
        int letter = targets[pair * 256 + row], corner = diagonal;
        diagonal = left;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            gap = max(gap - 1, left - 3);
            down[j] = max(down[j] - 1, above[j] - 3);
            int score = max(max(0, corner + (letter == query[j] ? 2 : -1)), max(gap, down[j]));
            corner = above[j];
            above[j] = score;
            left = score;
            most = max(most, score);
        }
        last = left;
        across = gap;
    }
    for (int step = 16; step > 0; step /= 2) most = max(most, __shfl_xor_sync(~0u, most, step));
    if (lane == 0) best[pair] = most;
}

// launch range_count: --kernel range_count --grid 1024 --block 128 --arg i32[4194304]=0+4 --arg i32[131072]=0..16000000 --arg i32[131072]=0..400 --arg i32[131072] --arg i32:4194304
// Down a tree of ranges from a stack in local memory, as rays go through boxes: only what overlaps is opened.
__global__ void range_count(const int* __restrict__ sorted, const int* __restrict__ centres,
                            const int* __restrict__ reaches, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int from = centres[i] - reaches[i], to = centres[i] + reaches[i], count = 0, top = 1;
    int2 stack[32];
    stack[0] = make_int2(0, n);
    while (top > 0) {
        int2 range = stack[--top];
        if (sorted[range.y - 1] < from || sorted[range.x] > to) continue;
        if (range.y - range.x <= 8) {
            for (int k = range.x; k < range.y; ++k) count += sorted[k] >= from && sorted[k] <= to;
        } else {
            int middle = (range.x + range.y) / 2;
            stack[top++] = make_int2(middle, range.y);
            stack[top++] = make_int2(range.x, middle);
        }
    }
    counts[i] = count;
}

// launch barrier_option: --kernel barrier_option --grid 1024 --block 128 --arg f32[131072] --arg f32:0.9 --arg i32:256
// Monte Carlo: a random path a thread, which ends when the price falls below a barrier.
__global__ void barrier_option(float* payoffs, float barrier, int steps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = (i + 1) * 2654435761u;
    float price = 1, payoff = 0;
    int step = 0;
    for (; step < steps; ++step) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        float u = ((state >> 8) + 1) * 0x1p-24f;
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        float angle = (state >> 8) * (6.2831853f * 0x1p-24f);
        price *= __expf(0.01f * sqrtf(-2 * __logf(u)) * __cosf(angle));
        if (price < barrier) break;
    }
    if (step == steps) payoff = fmaxf(price - 1, 0.0f);
    payoffs[i] = payoff;
}

// launch tridiagonal: --kernel tridiagonal --grid 256 --block 128 --arg f32[4194304]=-1..1 --arg f32[4194304]=3..4 --arg f32[4194304]=-1..1 --arg f32[4194304]=-1..1 --arg f32[4194304] --arg f32[4194304] --arg i32:128
// Thomas's algorithm, a system a thread: 128 unknowns down, and back up again.
__global__ void tridiagonal(const float* a, const float* b, const float* c, const float* d, float* scratch, float* x,
                            int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, systems = gridDim.x * blockDim.x;
    float upper = 0, right = 0;
    for (int k = 0, at = i; k < n; ++k, at += systems) {
        float factor = 1 / (b[at] - a[at] * upper);
        upper = c[at] * factor;
        right = (d[at] - a[at] * right) * factor;
        scratch[at] = upper;
        x[at] = right;
    }
    float next = 0;
    for (int k = n - 1, at = i + (n - 1) * systems; k >= 0; --k, at -= systems) {
        next = x[at] - scratch[at] * next;
        x[at] = next;
    }
}
