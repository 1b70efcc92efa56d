// All lanes store different values into one word at once.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float result[8];
    result[threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];  // expect: race
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = result[threadIdx.y];
}
