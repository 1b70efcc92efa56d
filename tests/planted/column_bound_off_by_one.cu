// col <= cols reaches the next row; the last row's is outside.
// grid: 3 8
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < rows && col <= cols) {
        float value = in[row * cols + col];  // expect: out_of_bounds
        out[min(col, cols - 1) * rows + row] = value;
    }
}
