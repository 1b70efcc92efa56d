// All threads store the same value into one word: whichever comes last, it is that.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ int found;
    found = rows;
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = found;
}
