// Dynamic shared memory of the right size, behind a static array.
// grid: 1
// block: 256
// dynamic shared: 1024
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    extern __shared__ float line[];
    __shared__ float factor;
    if (threadIdx.x == 0) factor = 2;
    line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = factor * line[255 - threadIdx.x];
}
