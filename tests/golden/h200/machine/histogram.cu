// A histogram by atomics in shared memory, added to the whole one by those that are not zero.
// lanewise-engine run histogram.cu --kernel histogram --grid 4 --block 128 --arg u32[64] --arg u8[2000] --arg i32:2000
// results: exact
__global__ void histogram(unsigned* bins, const unsigned char* in, int n) {
    __shared__ unsigned mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i] / 4], 1u);
    __syncthreads();
    if (threadIdx.x < 64 && mine[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
