// Scans of a block: Blelloch's with an offset against bank conflicts, Hillis and Steele's in two
// buffers.
__device__ int spread(int i) { return i + (i >> 5); }
__global__ void blelloch(unsigned* out, const unsigned* in, int n) {
    extern __shared__ unsigned s[];
    int t = threadIdx.x, offset = 1;
    in += blockIdx.x * n;
    out += blockIdx.x * n;
    s[spread(t)] = in[t];
    s[spread(t + n / 2)] = in[t + n / 2];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[spread(offset * (2 * t + 2) - 1)] += s[spread(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0) s[spread(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = spread(offset * (2 * t + 1) - 1), b = spread(offset * (2 * t + 2) - 1);
            unsigned x = s[a];
            s[a] = s[b];
            s[b] += x;
        }
    }
    __syncthreads();
    out[t] = s[spread(t)];
    out[t + n / 2] = s[spread(t + n / 2)];
}
__global__ void hillis_steele(unsigned* out, const unsigned* in) {
    extern __shared__ unsigned s[];
    int n = blockDim.x, t = threadIdx.x, to = 0;
    s[t] = in[t];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        int from = to * n;
        to = 1 - to;
        s[to * n + t] = s[from + t] + (t >= offset ? s[from + t - offset] : 0);
        __syncthreads();
    }
    out[t] = s[to * n + t];
}
