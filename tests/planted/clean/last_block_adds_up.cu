// The block that draws the last ticket adds up what all have stored before they drew theirs.
// grid: 8
// block: 32
// arguments: in[4096] data[64]
__device__ unsigned drawn = 0;
__global__ void kernel(const float* in, float* data) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        data[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        is_last = atomicAdd(&drawn, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || threadIdx.x > 0) return;
    float sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += data[i];
    data[0] = sum;
}
