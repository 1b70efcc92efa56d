// The index into an array of the thread's own comes from the input, unchecked.
// grid: 1
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int bins[8];
    for (int i = 0; i < 8; ++i) bins[i] = i * rows;
    unsigned bin = __float_as_uint(in[threadIdx.x]) % 64;
    out[threadIdx.x] = bins[bin];  // expect: out_of_bounds
}
