// The result goes into the input.
// grid: 2
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(float* in, float* out, int rows, int cols) {
    int i = blockIdx.x * 32 + threadIdx.x;
    in[i] = in[i] + 1;  // expect: out_of_bounds
    out[i] = 0;
}
