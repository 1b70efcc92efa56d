// A grid-stride loop in 64 bits with division, modulo and saturating counts.
// lanewise-engine run grid_stride_long.cu --kernel strided --grid 2 --block 96 --arg i64[700] --arg i64[700] --arg i64:700
// results: exact
__global__ void strided(long long* __restrict__ out, const long long* __restrict__ in, long long n) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
        long long v = in[i], d = in[n - 1 - i] >> (i % 50);
        if (d == 0) d = 7;
        unsigned long long u = v, w = d;
        long long r = v / d + v % d;
        r ^= (long long)(u / (w | 1)) + (long long)(u % (w | 1));
        r += __mul64hi(v, d) + (long long)__umul64hi(u, w) + __popcll(u) + __clzll(v) + __ffsll(d) + __brevll(u);
        r += llabs(v) + max(v, d) - min(u, w) + (v >> (i & 63)) + (long long)(u << (i & 63));
        out[i] = r;
    }
}
