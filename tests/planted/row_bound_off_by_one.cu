// row <= rows lets one row too many through.
// grid: 2 9
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row <= rows && col < cols)
        out[row * cols + col] =  // expect: out_of_bounds
            in[row * cols + col];  // expect: out_of_bounds
}
