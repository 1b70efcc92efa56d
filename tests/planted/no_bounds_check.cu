// The edge blocks of a ragged matrix have no bounds check.
// grid: 2 7
// block: 32 8
// arguments: in[2500] out[2500] 50 50
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float value = row * cols + col < rows * cols ? in[row * cols + col] : 0;
    out[col * rows + row] = value;  // expect: out_of_bounds
}
