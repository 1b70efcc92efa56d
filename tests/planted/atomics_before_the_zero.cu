// The sum is cleared by one thread, and the others do not wait for it.
// grid: 1
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    atomicAdd(&sum, in[threadIdx.x]);  // expect: race
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sum;
}
