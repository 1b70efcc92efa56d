// Sums by shuffles within warps, then over the warps of a block, then by an atomic.
// lanewise-engine run reduce_shuffle.cu --kernel reduce --grid 4 --block 256 --arg u32[5] --arg u32[1000] --arg i32:1000
// results: exact
__device__ unsigned warp_sum(unsigned v) {
    for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffffu, v, by);
    return v;
}

__global__ void reduce(unsigned* out, const unsigned* in, int n) {
    __shared__ unsigned sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = warp_sum(i < n ? in[i] >> 8 : 0);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    v = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = v;
        atomicAdd(&out[0], v);
    }
}
