// Reductions of a block, as in Mark Harris's series: interleaved with divergence, sequential, by
// two elements a thread and the last warp by a tile of cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <int N>
__global__ void interleaved(unsigned* out, const unsigned* in) {
    __shared__ unsigned s[N];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
template <int N>
__global__ void strided_index(unsigned* out, const unsigned* in) {
    __shared__ unsigned s[N];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k *= 2) {
        unsigned i = 2 * k * t;
        if (i < blockDim.x) s[i] += s[i + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
template <unsigned N>
__global__ void grid_stride(unsigned* out, const unsigned* in, unsigned n) {
    extern __shared__ unsigned s[];
    unsigned t = threadIdx.x, sum = 0;
    for (unsigned i = blockIdx.x * N * 2 + t; i < n; i += N * 2 * gridDim.x) {
        sum += in[i];
        if (i + N < n) sum += in[i + N];
    }
    s[t] = sum;
    __syncthreads();
    if (N >= 512 && t < 256) s[t] = sum = sum + s[t + 256];
    __syncthreads();
    if (N >= 256 && t < 128) s[t] = sum = sum + s[t + 128];
    __syncthreads();
    if (N >= 128 && t < 64) s[t] = sum = sum + s[t + 64];
    __syncthreads();
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (t < 32) {
        if (N >= 64) sum += s[t + 32];
        for (int d = 16; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
    }
    if (t == 0) out[blockIdx.x] = sum;
}
