// The output is written with the input's pitch.
// grid: 4 4
// block: 32 8
// arguments: in[4096] out[4096] 32 128
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float value = in[row * cols + col];
    out[col * cols + row] = value;  // expect: out_of_bounds
}
