// A warp stores, returns, and the others read behind the barrier.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[32];
    if (threadIdx.y == 0) {
        line[threadIdx.x] = in[threadIdx.x];
        return;
    }
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = line[31 - threadIdx.x];
}
