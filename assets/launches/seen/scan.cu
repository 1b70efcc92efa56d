// Scans: in two dimensions, of a filter's state, of what lies between quotes, and of packed differences.

// launch integral_tiles: --kernel integral_tiles --grid 128,128 --block 32,32 --arg u8[16777216]=0..255 --arg u32[16777216] --arg i32:4096
// An integral image tile by tile: 32 rows by their warps, a turn in shared memory, and 32 columns by the same warps.
__global__ void integral_tiles(const unsigned char* __restrict__ in, unsigned* __restrict__ out, int n) {
    __shared__ unsigned tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx;
    unsigned sum = in[at];
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (tx >= step) sum += left;
    }
    tile[ty][tx] = sum;
    __syncthreads();
    sum = tile[tx][ty];
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        unsigned above = __shfl_up_sync(~0u, sum, step);
        if (tx >= step) sum += above;
    }
    tile[tx][ty] = sum;
    __syncthreads();
    out[at] = tile[ty][tx];
}

struct Matrix {
    float a, b, c, d;
};
__device__ Matrix product(Matrix x, Matrix y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}

// launch biquad_scan: --kernel biquad_scan --grid 1024 --block 128 --arg f32[16777216]=-1..1 --arg f32[20480]=0..0.3 --arg f32[16777216] --arg i32:4096
// A filter of second order on 4,096 channels of sound, a warp a channel: four samples a lane, and the state goes from
// lane to lane by powers of a matrix of 2 x 2.
__global__ void biquad_scan(const float4* __restrict__ in, const float* __restrict__ coefficients,
                            float4* __restrict__ out, int samples) {
    int channel = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float* five = coefficients + channel * 5;
    float b0 = five[0], b1 = five[1], b2 = five[2], a1 = five[3], a2 = five[4];
    Matrix one = {-a1, -a2, 1, 0}, mine = {1, 0, 0, 1}, powers[5];
    powers[0] = product(one, one);
    powers[0] = product(powers[0], powers[0]);
#pragma unroll
    for (int k = 1; k < 5; ++k) powers[k] = product(powers[k - 1], powers[k - 1]);
#pragma unroll
    for (int k = 0; k < 5; ++k)
        if (lane >> k & 1) mine = product(mine, powers[k]);
    float last = 0, last_but_one = 0, x1 = 0, x2 = 0;
    for (int i = lane; i < samples / 4; i += 32) {
        float4 x = in[channel * (samples / 4) + i];
        float left1 = __shfl_up_sync(~0u, x.w, 1), left2 = __shfl_up_sync(~0u, x.z, 1);
        if (lane == 0) left1 = x1, left2 = x2;
        x1 = __shfl_sync(~0u, x.w, 31), x2 = __shfl_sync(~0u, x.z, 31);
        float v0 = b0 * x.x + b1 * left1 + b2 * left2, v1 = b0 * x.y + b1 * x.x + b2 * left1;
        float v2 = b0 * x.z + b1 * x.y + b2 * x.x, v3 = b0 * x.w + b1 * x.z + b2 * x.y;
        float y1 = v1 - a1 * v0, below = v2 - a1 * y1 - a2 * v0, top = v3 - a1 * below - a2 * y1;
#pragma unroll
        for (int k = 0; k < 5; ++k) {
            float p = __shfl_up_sync(~0u, top, 1 << k), q = __shfl_up_sync(~0u, below, 1 << k);
            if (lane >= 1 << k) {
                top += powers[k].a * p + powers[k].b * q;
                below += powers[k].c * p + powers[k].d * q;
            }
        }
        float p = __shfl_up_sync(~0u, top, 1), q = __shfl_up_sync(~0u, below, 1);
        if (lane == 0) p = 0, q = 0;
        p += mine.a * last + mine.b * last_but_one;
        q += mine.c * last + mine.d * last_but_one;
        float4 y;
        y.x = v0 - a1 * p - a2 * q;
        y.y = v1 - a1 * y.x - a2 * p;
        y.z = v2 - a1 * y.y - a2 * y.x;
        y.w = v3 - a1 * y.z - a2 * y.y;
        out[channel * (samples / 4) + i] = y;
        last = __shfl_sync(~0u, y.w, 31), last_but_one = __shfl_sync(~0u, y.z, 31);
    }
}

__device__ unsigned bits_where(unsigned word, unsigned letters) {
    return (__vcmpeq4(word, letters) & 0x08040201u) * 0x01010101u >> 24;
}

// launch quote_mask: --kernel quote_mask --grid 4096 --block 256 --arg u8[33554432]=32..96 --arg u32[1048576] --arg u32[1048576] --arg u32[4096]
// A table as text: which of its bytes lie between quotes, and which commas do not. A thread has 32 bytes, whose quotes
// become bits; their parity is scanned over the bits, the warp and the block.
__global__ void quote_mask(const unsigned char* __restrict__ text_bytes,
                              unsigned* __restrict__ quoted,
                              unsigned* __restrict__ commas,
                              unsigned* __restrict__ parities) {
    const uint4* text = (const uint4*)text_bytes;
    __shared__ unsigned odd[8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t % 32, warp = t / 32;
    uint4 low = text[2 * i], high = text[2 * i + 1];
    unsigned words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}, quotes = 0, separators = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        quotes |= bits_where(words[k], 0x22222222u) << 4 * k;
        separators |= bits_where(words[k], 0x2c2c2c2cu) << 4 * k;
    }
    unsigned inside = quotes;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) inside ^= inside << step;
    unsigned odds = __ballot_sync(~0u, inside >> 31);
    if (lane == 0) odd[warp] = __popc(odds) & 1;
    __syncthreads();
    unsigned before = __popc(odds & ((1u << lane) - 1)), all = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        if (w < warp) before += odd[w];
        all += odd[w];
    }
    if (before & 1) inside = ~inside;
    quoted[i] = inside;
    commas[i] = separators & ~inside;
    if (t == 0) parities[blockIdx.x] = all & 1;
}

// launch delta_decode: --kernel delta_decode --grid 16384 --block 128 --arg u32[6291456]=0..16777215 --arg u32[16384]=0..16777215 --arg u32[16777216]
// A column of a database: differences of twelve bits are unpacked, eight from three words a thread, and added up from
// the first value of each 1,024.
__global__ void delta_decode(const unsigned* __restrict__ packed, const unsigned* __restrict__ firsts,
                             uint4* __restrict__ out) {
    __shared__ unsigned of_warps[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, at = blockIdx.x * 128 + t;
    unsigned a = packed[3 * at], b = packed[3 * at + 1], c = packed[3 * at + 2];
    unsigned v[8] = {a & 4095,       a >> 12 & 4095,           (a >> 24 | b << 8) & 4095, b >> 4 & 4095,
                     b >> 16 & 4095, (b >> 28 | c << 4) & 4095, c >> 8 & 4095,             c >> 20};
#pragma unroll
    for (int k = 1; k < 8; ++k) v[k] += v[k - 1];
    unsigned sum = v[7];
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    unsigned base = firsts[blockIdx.x] + sum - v[7];
#pragma unroll
    for (int w = 0; w < 3; ++w)
        if (w < warp) base += of_warps[w];
    out[2 * at] = make_uint4(base + v[0], base + v[1], base + v[2], base + v[3]);
    out[2 * at + 1] = make_uint4(base + v[4], base + v[5], base + v[6], base + v[7]);
}
