// Bins are counted by load, add and store.
// grid: 1
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    int bin = threadIdx.x % 16;
    bins[bin] = bins[bin] + 1;  // expect: race
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}
