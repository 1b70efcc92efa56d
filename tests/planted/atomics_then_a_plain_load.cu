// The sum is read before all have added to it: a barrier is missing after the atomics.
// grid: 1
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[threadIdx.x]);
    if (threadIdx.x == 0) out[0] = sum;  // expect: race
}
