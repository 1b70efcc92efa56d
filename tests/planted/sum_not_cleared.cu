// The accumulator in shared memory is never set to zero.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = sum + in[0];  // expect: uninitialized_shared
    __syncthreads();
    out[threadIdx.x] = sum;
}
