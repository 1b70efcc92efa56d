// Every warp's first lane writes its own value into one word.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float result;
    if (threadIdx.x == 0) result = in[threadIdx.y];  // expect: race
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = result;
}
