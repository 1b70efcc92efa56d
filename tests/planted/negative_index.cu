// The neighbour on the left of the first column.
// grid: 2 8
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    out[row * cols + col] = in[row * cols + col]
        - in[row * cols + col - 1];  // expect: out_of_bounds
}
