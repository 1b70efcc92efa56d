// Scans: places of letters in UTF-8, lighting by a picture of the sky, gaps in measurements, and hashes of all beginnings.

// launch utf8_positions: --kernel utf8_positions --grid 1024 --block 512 --arg u8[8388608]=0..255 --arg u32[524288] --arg u32[1024]
// Text: how many letters of UTF-8 begin before each sixteen bytes, within chunks of 8 KiB.
// Bytes that go on a letter are found four at once.
__global__ void utf8_positions(const uint4* __restrict__ text, unsigned* __restrict__ before, unsigned* __restrict__ totals) {
    __shared__ unsigned of_warps[16];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 512 + t;
    uint4 v = text[i];
    unsigned words[4] = {v.x, v.y, v.z, v.w}, mine = 16;
#pragma unroll
    for (int k = 0; k < 4; ++k) mine -= __popc(words[k] & ~(words[k] << 1) & 0x80808080u);
    unsigned sum = mine;
    for (int step = 1; step < 32; step <<= 1) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        unsigned w = lane < 16 ? of_warps[lane] : 0;
        for (int step = 1; step < 16; step <<= 1) {
            unsigned left = __shfl_up_sync(~0u, w, step);
            if (lane >= step) w += left;
        }
        if (lane < 16) of_warps[lane] = w;
    }
    __syncthreads();
    unsigned start = warp == 0 ? 0 : of_warps[warp - 1];
    before[i] = start + sum - mine;
    if (t == 511) totals[blockIdx.x] = start + sum;
}

// launch sky_distribution: --kernel sky_distribution --grid 2048 --block 1024 --arg f32[12582912]=0..3 --arg f32[4194304] --arg f32[2048]
// Rendering: each row of a sky of 2,048 x 2,048 pixels becomes a distribution from which directions can be drawn.
// Brightness times the sine of the height, added up by a plain doubling scan in shared memory, two a thread.
__global__ void __launch_bounds__(1024) sky_distribution(const float* __restrict__ pixels, float* __restrict__ out,
                                                         float* __restrict__ rows) {
    __shared__ float held[2][1024];
    int t = threadIdx.x;
    float sine = sinf(3.14159265f * (blockIdx.x + 0.5f) / 2048);
    const float* from = pixels + ((size_t)blockIdx.x * 2048 + 2 * t) * 3;
    float a = (0.2126f * from[0] + 0.7152f * from[1] + 0.0722f * from[2]) * sine;
    float b = (0.2126f * from[3] + 0.7152f * from[4] + 0.0722f * from[5]) * sine;
    int at = 0;
    held[0][t] = a + b;
    __syncthreads();
    for (int step = 1; step < 1024; step *= 2) {
        float v = held[at][t];
        if (t >= step) v += held[at][t - step];
        at ^= 1;
        held[at][t] = v;
        __syncthreads();
    }
    float total = held[at][1023], inverse = total > 0 ? 1 / total : 0, end = held[at][t];
    ((float2*)out)[(size_t)blockIdx.x * 1024 + t] = make_float2((end - b) * inverse, end * inverse);
    if (t == 0) rows[blockIdx.x] = total;
}

// launch fill_forward: --kernel fill_forward --grid 1250 --block 128 --arg f32[10240000]=-1..3 --arg f32[10240000] --arg i32:2048
// Weather stations: what is missing (below nought) takes the last value that was measured before it.
// A warp has a series of 2,048 and finds by a vote where the nearest valid lane on the left is.
__global__ void fill_forward(const float* __restrict__ in, float* __restrict__ out, int length) {
    int lane = threadIdx.x % 32, series = blockIdx.x * 4 + threadIdx.x / 32;
    const float* from = in + (size_t)series * length;
    float* to = out + (size_t)series * length;
    float last = 0;
    unsigned upto = 0xffffffffu >> (31 - lane);
#pragma unroll 4
    for (int i = lane; i < length; i += 32) {
        float v = from[i];
        unsigned valid = __ballot_sync(~0u, v >= 0) & upto;
        int source = valid != 0 ? 31 - __clz(valid) : 0;
        float found = __shfl_sync(~0u, v, source);
        if (valid == 0) found = last;
        to[i] = found;
        last = __shfl_sync(~0u, found, 31);
    }
}

// launch rolling_hashes: --kernel rolling_hashes --grid 1500 --block 256 --arg u8[3072000]=0..255 --arg u64[3072000] --arg u64[1500]
// Finding of doubled passages: a polynomial hash modulo 2^61 - 1 of every beginning of a chunk of 2,048 bytes.
// Eight bytes a thread; pairs of hash and power are joined over the warp and over eight warps.
__global__ void __launch_bounds__(256) rolling_hashes(const uint2* __restrict__ text, unsigned long long* __restrict__ hashes,
                                                      unsigned long long* __restrict__ totals) {
    __shared__ unsigned long long of_warps[8];
    const unsigned long long p = (1ull << 61) - 1, base = 911382323ull;
    auto product = [&](unsigned long long a, unsigned long long b) {
        unsigned long long low = a * b, high = __umul64hi(a, b);
        unsigned long long r = (low & p) + (low >> 61 | high << 3);
        r = (r & p) + (r >> 61);
        return r >= p ? r - p : r;
    };
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    uint2 v = text[blockIdx.x * 256 + t];
    unsigned long long mine[8], hash = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        unsigned byte = (k < 4 ? v.x : v.y) >> (k % 4 * 8) & 255;
        hash = product(hash, base) + byte + 1;
        if (hash >= p) hash -= p;
        mine[k] = hash;
    }
    unsigned long long power = base;
    for (int k = 0; k < 3; ++k) power = product(power, power);
    const unsigned long long eighth = power;
    unsigned long long before = 1;
    for (int step = 1; step < 32; step *= 2) {
        unsigned long long left = __shfl_up_sync(~0u, hash, step);
        if (lane >= step) {
            hash += product(left, power);
            if (hash >= p) hash -= p;
        }
        if (lane & step) before = product(before, power);
        power = product(power, power);
    }
    if (lane == 31) of_warps[warp] = hash;
    unsigned long long start = __shfl_up_sync(~0u, hash, 1);
    if (lane == 0) start = 0;
    __syncthreads();
    unsigned long long carry = 0;
    for (int w = 0; w < warp; ++w) {
        carry = product(carry, power) + of_warps[w];
        if (carry >= p) carry -= p;
    }
    start += product(carry, before);
    if (start >= p) start -= p;
    unsigned long long factor = base;
    unsigned long long* to = hashes + ((size_t)blockIdx.x * 256 + t) * 8;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        unsigned long long h = mine[k] + product(start, factor);
        to[k] = h >= p ? h - p : h;
        factor = product(factor, base);
        if (k == 7 && t == 255) totals[blockIdx.x] = to[7] ^ eighth;
    }
}
