// The second matrix begins one row too late.
// grid: 8 2
// block: 256
// arguments: in[4096] out[4096] 32 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int i = blockIdx.y * (rows + 1) * cols + blockIdx.x * 256 + threadIdx.x;
    if (blockIdx.x * 256 + threadIdx.x < rows * cols)
        out[i] =  // expect: out_of_bounds
            in[i];  // expect: out_of_bounds
}
