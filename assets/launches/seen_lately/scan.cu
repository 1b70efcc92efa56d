// Scans: prices made smooth, losses since the best day, how deep brackets lie, and rows of a summed picture.

// launch smooth_prices: --kernel smooth_prices --grid 3000 --block 256 --arg f32[6144000]=90..110 --arg f32[6144000] --arg f32:0.02
// Finance: an average that forgets exponentially, over series of 2,048 prices, a block each.
// A thread has eight prices; what comes from the left fades by a power of what is kept.
__global__ void __launch_bounds__(256) smooth_prices(const float4* __restrict__ prices, float4* __restrict__ smooth, float alpha) {
    __shared__ float of_warps[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    size_t at = (size_t)blockIdx.x * 512 + 2 * t;
    float4 p = prices[at], q = prices[at + 1];
    float keep = 1 - alpha, v[8] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w};
    float y = t == 0 ? v[0] : 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) y = keep * y + alpha * v[k];
    float power = keep * keep;
    power *= power;
    power *= power;
    float eighth = power, sum = y;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        float left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += power * left;
        power *= power;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    float before = 0;
    for (int w = 0; w < warp; ++w) before = before * power + of_warps[w];
    float left = __shfl_up_sync(~0u, sum, 1);
    float carry = (lane == 0 ? 0 : left) + before * __powf(eighth, (float)lane);
    y = t == 0 ? v[0] : carry;
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = y = keep * y + alpha * v[k];
    smooth[at] = make_float4(v[0], v[1], v[2], v[3]);
    smooth[at + 1] = make_float4(v[4], v[5], v[6], v[7]);
}

// launch since_the_best: --kernel since_the_best --grid 1024 --block 128 --arg f64[4194304]=50..150 --arg f32[4194304] --arg f64[4096]
// Funds: at each of 1,024 days, how much has been lost since the best day so far; and the largest of these losses.
// A warp has a fund in doubles and goes on 64 days at a time, two a lane.
__global__ void since_the_best(const double2* __restrict__ values, float2* __restrict__ losses, double* __restrict__ largest) {
    int lane = threadIdx.x % 32, fund = blockIdx.x * 4 + threadIdx.x / 32;
    double best = 0, worst = 0;
#pragma unroll 2
    for (int k = 0; k < 16; ++k) {
        size_t at = (size_t)fund * 512 + k * 32 + lane;
        double2 v = values[at];
        double most = fmax(v.x, v.y);
        for (int step = 1; step < 32; step *= 2) {
            double left = __shfl_up_sync(~0u, most, step);
            if (lane >= step) most = fmax(most, left);
        }
        double left = __shfl_up_sync(~0u, most, 1);
        double first = fmax(lane == 0 ? best : fmax(best, left), v.x), second = fmax(first, v.y);
        double a = (first - v.x) / first, b = (second - v.y) / second;
        losses[at] = make_float2((float)a, (float)b);
        worst = fmax(worst, fmax(a, b));
        best = fmax(best, __shfl_sync(~0u, most, 31));
    }
    for (int step = 16; step > 0; step >>= 1) worst = fmax(worst, __shfl_xor_sync(~0u, worst, step));
    if (lane == 0) largest[fund] = worst;
}

// launch bracket_depths: --kernel bracket_depths --grid 2048 --block 256 --arg u8[16777216]=34..125 --arg u32[524288] --arg i32[524288] --arg i32[2048]
// Parsing of JSON: which bytes lie within quotes, and how deep the brackets outside them are, 32 bytes a thread.
// Quotes are scanned by votes and XOR, depths by sums, within chunks of 8 KiB.
__global__ void __launch_bounds__(256) bracket_depths(const uint4* __restrict__ text, unsigned* __restrict__ quoted,
                                                      int* __restrict__ depths, int* __restrict__ totals) {
    __shared__ int quotes_of[8], deltas_of[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 256 + t;
    uint4 p = text[2 * i], q = text[2 * i + 1];
    unsigned words[8] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w}, quotes = 0, opens = 0, closes = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        // Both kinds of brackets differ in bit 5 only.
        unsigned w = words[k], folded = w | 0x20202020u;
        unsigned a = __vcmpeq4(w, 0x22222222u) & 0x01010101u, b = __vcmpeq4(folded, 0x7b7b7b7bu) & 0x01010101u;
        unsigned c = __vcmpeq4(folded, 0x7d7d7d7du) & 0x01010101u;
        quotes |= (a * 0x01020408u >> 24) << (4 * k);
        opens |= (b * 0x01020408u >> 24) << (4 * k);
        closes |= (c * 0x01020408u >> 24) << (4 * k);
    }
    unsigned odd = __ballot_sync(~0u, __popc(quotes) & 1);
    if (lane == 0) quotes_of[warp] = __popc(odd);
    __syncthreads();
    int before = __popc(odd & ((1u << lane) - 1));
    for (int w = 0; w < warp; ++w) before += quotes_of[w];
    unsigned inside = quotes;
    inside ^= inside << 1;
    inside ^= inside << 2;
    inside ^= inside << 4;
    inside ^= inside << 8;
    inside ^= inside << 16;
    if (before & 1) inside = ~inside;
    int delta = __popc(opens & ~inside) - __popc(closes & ~inside), sum = delta;
    for (int step = 1; step < 32; step *= 2) {
        int left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) deltas_of[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; ++w) sum += deltas_of[w];
    quoted[i] = inside;
    depths[i] = sum - delta;
    if (t == 255) totals[blockIdx.x] = sum;
}

// launch summed_rows: --kernel summed_rows --grid 1600 --block 64 --arg u8[8192000]=0..255 --arg u32[8192000] --arg i32:2560
// Finding of faces: sums of brightness along each row of a picture, as a summed picture needs them first.
// A warp has a row of 2,560 bytes and takes four a lane; each piece waits for the sum before it.
__global__ void summed_rows(const uchar4* __restrict__ pixels, uint4* __restrict__ sums, int width) {
    int lane = threadIdx.x % 32, row = blockIdx.x * 2 + threadIdx.x / 32;
    const uchar4* from = pixels + (size_t)row * (width / 4);
    uint4* to = sums + (size_t)row * (width / 4);
    unsigned carry = 0;
    for (int k = lane; k < width / 4; k += 32) {
        uchar4 p = from[k];
        unsigned a = p.x, b = a + p.y, c = b + p.z, d = c + p.w, sum = d;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            unsigned left = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += left;
        }
        unsigned start = carry + sum - d;
        to[k] = make_uint4(start + a, start + b, start + c, start + d);
        carry += __shfl_sync(~0u, sum, 31);
    }
}
