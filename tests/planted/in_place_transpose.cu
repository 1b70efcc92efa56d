// Reads the output as though it held the input.
// grid: 2 8
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float value = row < col ? out[col * rows + row] : 0.0f;  // expect: uninitialized_global
    out[row * cols + col] = value + in[0];
}
