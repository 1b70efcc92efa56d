// Atomics: global and shared, spread and contended, with and without the old value. Sums are of
// integers or of few floats, so that the order of arrival changes nothing.
#include <cuda_fp16.h>

template <typename T>
__global__ void add_spread(T* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(to + i, T(1));
}

template <typename T>
__global__ void add_spread_returning(T* to, T* old, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) old[i] = atomicAdd(to + i, T(1));
}

// `lanes` lanes of every warp share an address.
__global__ void add_shared_addresses(unsigned* to, int lanes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(to + i / lanes, i);
}

// One address for all. ptxas adds up the warp's values first.
__global__ void add_one_address(unsigned* to, const unsigned* in) {
    atomicAdd(to, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void strided(unsigned* to, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(to + i * stride, 3u);
}

__global__ void maxima(int* to, const int* in, int n, int places) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(to + i % places, in[i]);
}

__global__ void exchanged(unsigned* to, unsigned* old, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) old[i] = atomicExch(to + n - 1 - i, i);
}

__global__ void compared(unsigned* to, unsigned* old, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) old[i] = atomicCAS(to + i, to[i], i);
}

// A maximum of floats by compare and swap; nobody else touches the element.
__global__ void max_by_cas(unsigned* to, const unsigned* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned seen = to[i], wanted = in[i];
    while (wanted > seen) {
        unsigned old = atomicCAS(to + i, seen, wanted);
        if (old == seen) break;
        seen = old;
    }
}

__global__ void bits(unsigned* to, const unsigned* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicOr(to + i % 64, in[i]);
    atomicAnd(to + 64 + i % 64, in[i]);
    atomicXor(to + 128 + i % 64, in[i]);
}

__global__ void wide(unsigned long long* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(to + i % 96, static_cast<unsigned long long>(i));
}

__global__ void half_pairs(__half2* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(to + i, __floats2half2_rn(1, 2));
}

__global__ void histogram(const unsigned char* in, unsigned* out, int n) {
    __shared__ unsigned bins[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(out + i, bins[i]);
}

// Shared atomics at a stride, with and without the old value.
__global__ void shared_strided(unsigned* out, int stride) {
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x * stride % 1024], threadIdx.x);
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[i] = s[i];
}

__global__ void shared_returning(unsigned* out, int stride) {
    __shared__ unsigned s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = i;
    __syncthreads();
    unsigned old = atomicAdd(&s[threadIdx.x * stride % 1024], 5u);
    old += atomicMax(&s[(threadIdx.x * stride + 1) % 1024], 7u);
    __syncthreads();
    out[threadIdx.x] = old;
}

__global__ void shared_floats(float* out) {
    __shared__ float s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x ^ 1], 1.f);
    atomicAdd(&s[threadIdx.x / 4], 2.f);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

__global__ void shared_cas(unsigned* out) {
    __shared__ unsigned s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    unsigned old = atomicCAS(&s[63 - threadIdx.x], 63 - threadIdx.x, 5u);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + old;
}

__global__ void shared_wide(unsigned long long* out) {
    __shared__ unsigned long long s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    atomicAdd(&s[threadIdx.x / 2], static_cast<unsigned long long>(threadIdx.x));
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
