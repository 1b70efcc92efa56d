// Half of the warps wait here, the others at the next barrier.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[256];
    int i = threadIdx.y * 32 + threadIdx.x;
    tile[i] = in[i];
    if (threadIdx.y < 4) {
        __syncthreads();  // expect: divergent_barrier
        tile[i] += 1;
    }
    __syncthreads();
    out[i] = tile[255 - i];
}
