// Sorts: odd-even, merge by ranks, quicksort by recursion, one-bit radix passes, merge path.
__global__ void odd_even(unsigned* out, const unsigned* in) {
    __shared__ unsigned a[64];
    int t = threadIdx.x;
    a[t] = in[t];
    __syncthreads();
    for (int p = 0; p < 64; ++p) {
        if ((t & 1) == (p & 1) && t + 1 < 64 && a[t] > a[t + 1]) {
            unsigned x = a[t];
            a[t] = a[t + 1];
            a[t + 1] = x;
        }
        __syncthreads();
    }
    out[t] = a[t];
}
__device__ int below(const unsigned* a, int n, unsigned v, bool equal) {
    int low = 0;
    while (n > 0) {
        int m = n / 2;
        if (a[low + m] < v || (equal && a[low + m] == v)) {
            low += m + 1;
            n -= m + 1;
        } else
            n = m;
    }
    return low;
}
__global__ void by_ranks(unsigned* out, const unsigned* in) {
    __shared__ unsigned a[128];
    int t = threadIdx.x;
    a[t] = in[t];
    for (int w = 1; w < 128; w *= 2) {
        __syncthreads();
        int run = t / w, base = run / 2 * 2 * w;
        unsigned v = a[t];
        int rank = run % 2 == 0 ? t - base + below(a + base + w, w, v, false)
                                : t - base - w + below(a + base, w, v, true);
        __syncthreads();
        a[base + rank] = v;
    }
    __syncthreads();
    out[t] = a[t];
}
__device__ void quicksort(unsigned* a, int l, int r) {
    if (l >= r) return;
    unsigned pivot = a[(l + r) / 2];
    int i = l, j = r;
    while (i <= j) {
        while (a[i] < pivot) ++i;
        while (a[j] > pivot) --j;
        if (i <= j) {
            unsigned x = a[i];
            a[i++] = a[j];
            a[j--] = x;
        }
    }
    quicksort(a, l, j);
    quicksort(a, i, r);
}
__global__ void quick(unsigned* out, const unsigned* in) {
    unsigned* own = out + threadIdx.x * 16;
    for (int i = 0; i < 16; ++i) own[i] = in[threadIdx.x * 16 + i];
    quicksort(own, 0, 15);
}
__global__ void radix(unsigned* out, const unsigned* in) {
    __shared__ unsigned a[2][256];
    __shared__ int zeros[9];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    a[0][t] = in[t] >> 22;
    __syncthreads();
    for (int bit = 0; bit < 10; ++bit) {
        unsigned v = a[bit & 1][t];
        bool zero = !(v >> bit & 1);
        unsigned mask = __ballot_sync(~0u, zero);
        if (lane == 0) zeros[warp] = __popc(mask);
        __syncthreads();
        if (t == 0) {
            int sum = 0;
            for (int i = 0; i < 8; ++i) {
                int count = zeros[i];
                zeros[i] = sum;
                sum += count;
            }
            zeros[8] = sum;
        }
        __syncthreads();
        int before = zeros[warp] + __popc(mask & ((1u << lane) - 1));
        a[~bit & 1][zero ? before : zeros[8] + t - before] = v;
        __syncthreads();
    }
    out[t] = a[0][t];
}
__global__ void merge_path(unsigned* out, int n) {
    auto A = [](int i) { return unsigned(i * 3); };
    auto B = [](int i) { return unsigned(i * 5 + 1); };
    int d = threadIdx.x * 16, low = max(0, d - n), high = min(d, n);
    while (low < high) {
        int m = (low + high) / 2;
        if (A(m) < B(d - 1 - m))
            low = m + 1;
        else
            high = m;
    }
    int i = low, j = d - low;
    for (int k = 0; k < 16; ++k) out[d + k] = j >= n || (i < n && A(i) < B(j)) ? A(i++) : B(j++);
}
