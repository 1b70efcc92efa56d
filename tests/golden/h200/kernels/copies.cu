// Copies of every width, alignment and cache hint, ragged and strided; no shared memory.
#include <cuda_fp16.h>

template <typename T>
__global__ void copy(const T* in, T* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

// Four floats at once where they lie within the array, the rest one by one.
__global__ void copy_ragged4(const float* in, float* out, int n) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n)
        *reinterpret_cast<float4*>(out + i) = *reinterpret_cast<const float4*>(in + i);
    else
        for (int j = i; j < n; ++j) out[j] = in[j];
}

template <typename T>
__global__ void strided(const T* in, T* out, int n, int stride, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * stride + offset];
}

// Every warp writes backwards, each lane to another's place.
__global__ void reversed(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = in[i];
}

struct Point {
    float x, y, z;
};
__global__ void move_points(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Point p = reinterpret_cast<const Point*>(in)[i];
    p.x += p.y;
    reinterpret_cast<Point*>(out)[i] = p;
}

struct alignas(8) Pair {
    float first;
    unsigned char tag;
};
__global__ void one_field(const float* in, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = reinterpret_cast<const Pair*>(in)[i].tag;
}

__global__ void saxpy_grid_stride(const float* x, float* y, float a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

__global__ void hinted(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = __ldg(in + i) + __ldcs(in + i + 1) + __ldcg(in + i + 2) + __ldca(in + i + 3) +
                __ldcv(in + i + 4);
    __stcs(out + i, sum);
    __stcg(out + n + i, sum);
    __stwt(out + 2 * n + i, sum);
}

__global__ void read_only(const float4* __restrict__ in, float4* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i];
}

__global__ void halves(const __half2* in, __half2* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __hadd2(in[i], in[i + 1]);
}

__global__ void bytes4(const uchar4* in, uchar4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 v = in[i];
    out[i] = make_uchar4(v.w, v.z, v.y, v.x);
}

__global__ void cube(const float* in, float* out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = in[(x * ny + y) * nz + z];
}

__constant__ float weights[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__global__ void weighted(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 7 >= n) return;
    float sum = 0;
    for (int j = 0; j < 8; ++j) sum += weights[(i + j) % 8] * in[i + j];
    out[i] = sum;
}

// Lanes that look up the same few elements, and 8 and 16 bytes that neighbours share.
__global__ void looked_up(const float* in, const float2* pairs, const float4* fours, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i % 3] + pairs[i / 2].x + pairs[i / 4].y + fours[i / 8].z + fours[i % 5].w;
}

// A gather: the places come from another array.
__global__ void gathered(const float* in, const unsigned* where, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[where[i] % n];
}

__global__ void scattered(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[(i * 37) % n] = in[i];
}

// An 8-byte and a 16-byte store of what four 4-byte loads gave.
__global__ void widening(const float* in, float* out) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    float a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3];
    out[i] = d;
    out[i + 1] = c;
    out[i + 2] = b;
    out[i + 3] = a;
}
