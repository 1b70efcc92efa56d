// The output's row and column are swapped, and the matrix is not square.
// grid: 1 16
// block: 32 8
// arguments: in[4096] out[4096] 128 32
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float value = in[row * cols + col];
    out[row * rows + col] = value;  // expect: out_of_bounds
}
