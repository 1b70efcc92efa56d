// Sorting: the middle of nine pixels, keys dealt by a digit, hands of cards, and exposures of the sky.

// launch middle_of_nine: --kernel middle_of_nine --grid 8,512 --block 128,4 --arg u8[8388608]=0..255 --arg u8[8388608] --arg i32:1024 --arg i32:2048
// Pictures: specks go away where each pixel becomes the middle one of its nine neighbours.
// A network of nineteen exchanges on four bytes at once.
__global__ void __launch_bounds__(512) middle_of_nine(const unsigned char* __restrict__ in, unsigned char* __restrict__ out,
                                                      int words, int height) {
    const unsigned* from = (const unsigned*)in;
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    unsigned p[9];
#pragma unroll
    for (int r = 0; r < 3; ++r) {
        const unsigned* row = from + (size_t)min(max(y + r - 1, 0), height - 1) * words;
        unsigned left = row[max(x - 1, 0)], here = row[x], right = row[min(x + 1, words - 1)];
        p[3 * r] = __byte_perm(left, here, 0x6543);
        p[3 * r + 1] = here;
        p[3 * r + 2] = __byte_perm(here, right, 0x4321);
    }
    auto order = [](unsigned& a, unsigned& b) {
        unsigned low = __vminu4(a, b);
        b = __vmaxu4(a, b);
        a = low;
    };
    order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]);
    order(p[0], p[1]), order(p[3], p[4]), order(p[6], p[7]);
    order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]);
    order(p[0], p[3]), order(p[5], p[8]), order(p[4], p[7]);
    order(p[3], p[6]), order(p[1], p[4]), order(p[2], p[5]);
    order(p[4], p[7]), order(p[4], p[2]), order(p[6], p[4]);
    order(p[4], p[2]);
    ((unsigned*)out)[(size_t)y * words + x] = p[4];
}

// launch deal_by_digit: --kernel deal_by_digit --grid 2048 --block 256 --arg u32[4194304]=0..2000000000 --arg u32[4194304] --arg u32[131072] --arg i32:12
// Radix sort: 2,048 keys of a block are put in order of six of their bits, stably, and each digit's start is noted.
// Lanes with the same digit find each other by a match; counts are a warp's own.
__global__ void __launch_bounds__(256) deal_by_digit(const unsigned* __restrict__ keys, unsigned* __restrict__ dealt,
                                                     unsigned* __restrict__ starts, int shift) {
    __shared__ unsigned counts[64 * 8], of_warps[8], held[2048];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    counts[t] = 0;
    counts[t + 256] = 0;
    unsigned key[8], rank[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) key[k] = keys[blockIdx.x * 2048 + warp * 256 + k * 32 + lane];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        unsigned digit = key[k] >> shift & 63, peers = __match_any_sync(~0u, digit), before = counts[digit * 8 + warp];
        __syncwarp();
        unsigned left = __popc(peers & ((1u << lane) - 1));
        if (left == 0) counts[digit * 8 + warp] = before + __popc(peers);
        __syncwarp();
        rank[k] = before + left;
    }
    __syncthreads();
    unsigned a = counts[2 * t], b = counts[2 * t + 1], sum = a + b;
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; ++w) sum += of_warps[w];
    counts[2 * t] = sum - a - b;
    counts[2 * t + 1] = sum - b;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) held[counts[(key[k] >> shift & 63) * 8 + warp] + rank[k]] = key[k];
    if (t < 64) starts[blockIdx.x * 64 + t] = counts[t * 8];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) dealt[blockIdx.x * 2048 + k * 256 + t] = held[k * 256 + t];
}

// launch hands_of_cards: --kernel hands_of_cards --grid 5120 --block 320 --arg u8[13107200]=0..51 --arg u32[1638400]
// Poker: the worth of hands of seven cards. They are sorted by rank in registers; then equal neighbours, suits and runs are found.
__global__ void hands_of_cards(const uint2* __restrict__ hands, unsigned* __restrict__ worth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 v = hands[i];
    unsigned c[7] = {v.x & 255, v.x >> 8 & 255, v.x >> 16 & 255, v.x >> 24, v.y & 255, v.y >> 8 & 255, v.y >> 16 & 255};
    unsigned suits = 0, ranks = 0;
#pragma unroll
    for (int k = 0; k < 7; ++k) {
        suits += 1u << (c[k] & 3) * 8;
        ranks |= 1u << (c[k] >> 2);
    }
    auto order = [&](int a, int b) {
        unsigned high = max(c[a], c[b]);
        c[b] = min(c[a], c[b]);
        c[a] = high;
    };
    order(0, 6), order(2, 3), order(4, 5), order(0, 2), order(1, 4), order(3, 6), order(0, 1), order(2, 5);
    order(3, 4), order(1, 2), order(4, 6), order(2, 3), order(4, 5), order(1, 2), order(3, 4), order(5, 6);
    int pairs = 0, threes = 0, fours = 0, run = 1;
    unsigned best = 0, high = c[0] >> 2;
#pragma unroll
    for (int k = 1; k < 7; ++k) {
        bool same = c[k] >> 2 == c[k - 1] >> 2;
        run = same ? run + 1 : 1;
        if (same) best = max(best, c[k] >> 2 | run << 4);
        pairs += run == 2;
        threes += run == 3;
        fours += run == 4;
    }
    unsigned flush = 4, flushed = 0;
#pragma unroll
    for (int s = 0; s < 4; ++s)
        if ((suits >> (8 * s) & 255) >= 5) flush = s;
    if (flush < 4) {
#pragma unroll
        for (int k = 0; k < 7; ++k)
            if ((c[k] & 3) == flush) flushed |= 1u << (c[k] >> 2);
    }
    unsigned wheel = ranks << 1 | (ranks >> 12 & 1), straight = wheel & wheel >> 1 & wheel >> 2 & wheel >> 3 & wheel >> 4;
    unsigned both = flushed << 1 | (flushed >> 12 & 1), royal = both & both >> 1 & both >> 2 & both >> 3 & both >> 4;
    unsigned kind, detail = best & 15;
    if (royal) kind = 8, detail = 31 - __clz(royal);
    else if (fours) kind = 7;
    else if (threes > 0 && pairs > 1) kind = 6;
    else if (flushed) kind = 5, detail = 31 - __clz(flushed);
    else if (straight) kind = 4, detail = 31 - __clz(straight);
    else if (threes) kind = 3;
    else kind = min(pairs, 2);
    worth[i] = kind << 24 | detail << 16 | high << 8 | (c[1] >> 2);
}

// launch stack_exposures: --kernel stack_exposures --grid 2048 --block 96 --arg f32[4718592]=0..1000 --arg f32[196608] --arg u8[196608] --arg f32:850 --arg i32:196608
// Astronomy: 24 exposures of the same sky become one. Saturated values are left out, the others are sorted by insertion,
// and those in the middle half are averaged. A thread has a pixel and a column of shared memory for its list.
__global__ void __launch_bounds__(96) stack_exposures(const float* __restrict__ exposures, float* __restrict__ sky,
                                                      unsigned char* __restrict__ used, float saturated, int n) {
    __shared__ float list[24][96];
    int t = threadIdx.x, i = blockIdx.x * 96 + t, many = 0;
    for (int k = 0; k < 24; ++k) {
        float v = exposures[(size_t)k * n + i];
        if (v > saturated) continue;
        int at = many++;
        while (at > 0 && list[at - 1][t] > v) {
            list[at][t] = list[at - 1][t];
            --at;
        }
        list[at][t] = v;
    }
    int cut = many / 4;
    float sum = 0;
    for (int k = cut; k < many - cut; ++k) sum += list[k][t];
    sky[i] = sum / max(many - 2 * cut, 1);
    used[i] = many;
}
