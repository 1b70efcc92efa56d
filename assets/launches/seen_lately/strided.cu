// Strided access: windows of pictures laid out, a picture turned, a pass of Fourier's transform, and rows of a table.
#include <cuda_fp16.h>

// launch lay_out_windows: --kernel lay_out_windows --grid 6272 --block 256 --arg f16[1605632]=-1..1 --arg f16[14450688] --arg i32:56 --arg i32:56
// Convolutions as products: each window of 3 x 3 of 512 planes of 56 x 56 is laid out in nine rows of a matrix.
// A thread reads nine halves round its place and writes them a plane apart.
__global__ void lay_out_windows(const half* __restrict__ in, half* __restrict__ out, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, plane = width * height;
    int which = i / plane, at = i % plane, y = at / width, x = at % width;
    const half* from = in + (size_t)which * plane;
    half* to = out + (size_t)which * 9 * plane + at;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        int r = y + k / 3 - 1, c = x + k % 3 - 1;
        bool inside = r >= 0 && r < height && c >= 0 && c < width;
        to[k * plane] = inside ? from[r * width + c] : __float2half(0.0f);
    }
}

// launch quarter_turn: --kernel quarter_turn --grid 80,270 --block 32,8 --arg u8[22118400]=0..255 --arg u8[22118400] --arg i32:2560 --arg i32:2160
// Photographs: a picture of four bytes a pixel is turned by a quarter, without shared memory.
// Reads go along rows; stores of one warp lie in 32 different rows.
__global__ void quarter_turn(const uchar4* __restrict__ in, uchar4* __restrict__ out, int width, int height) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[(size_t)x * height + height - 1 - y] = in[(size_t)y * width + x];
}

// launch fourier_pass: --kernel fourier_pass --grid 3072 --block 256 --arg f32[6291456]=-1..1 --arg f32[6291456] --arg i32:786432 --arg i32:4
// Signals: one pass of a Fourier transform by fours, Stockham's way, over three million complex numbers.
// Reads lie a quarter of everything apart; stores come in pieces of four numbers.
__global__ void fourier_pass(const float2* __restrict__ in, float2* __restrict__ out, int quarter, int span) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, low = i % span, high = i / span;
    float2 a = in[i], b = in[i + quarter], c = in[i + 2 * quarter], d = in[i + 3 * quarter];
    float s, co, angle = -1.5707963f * low / span;
    __sincosf(angle, &s, &co);
    auto turn = [](float2 v, float re, float im) { return make_float2(v.x * re - v.y * im, v.x * im + v.y * re); };
    float s2 = 2 * s * co, c2 = co * co - s * s, s3 = s2 * co + c2 * s, c3 = c2 * co - s2 * s;
    b = turn(b, co, s), c = turn(c, c2, s2), d = turn(d, c3, s3);
    float2 p = make_float2(a.x + c.x, a.y + c.y), q = make_float2(a.x - c.x, a.y - c.y);
    float2 r = make_float2(b.x + d.x, b.y + d.y), t = make_float2(b.y - d.y, d.x - b.x);
    float2* to = out + (size_t)high * 4 * span + low;
    to[0] = make_float2(p.x + r.x, p.y + r.y);
    to[span] = make_float2(q.x + t.x, q.y + t.y);
    to[2 * span] = make_float2(p.x - r.x, p.y - r.y);
    to[3 * span] = make_float2(q.x - t.x, q.y - t.y);
}

// launch rows_of_table: --kernel rows_of_table --grid 1056 --block 256 --arg u32[12000000]=0..9999 --arg u64[2] --arg i32:750000 --arg u32:2500 --arg u32:7000
// Databases kept by rows: turnover of the orders of some days, out of rows of sixteen words.
// The day is in the first half of a row; price and number, in the second half, are read only where it fits.
__global__ void rows_of_table(const unsigned* __restrict__ rows, unsigned long long* sums, int n, unsigned from, unsigned to) {
    unsigned long long turnover = 0;
    unsigned found = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned* row = rows + (size_t)i * 16;
        unsigned day = row[3];
        if (day < from || day >= to) continue;
        turnover += (unsigned long long)row[9] * row[14];
        ++found;
    }
    for (int step = 16; step > 0; step >>= 1) turnover += __shfl_down_sync(~0u, turnover, step);
    found = __reduce_add_sync(~0u, found);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], turnover);
        atomicAdd(&sums[1], (unsigned long long)found);
    }
}
