// The stencil's right halo is never loaded.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[66];
    int i = threadIdx.x;
    line[i + 1] = in[i + 1];
    if (i == 0) line[0] = in[0];
    __syncthreads();
    out[i] = line[i] + line[i + 1]
        + line[i + 2];  // expect: uninitialized_shared
}
