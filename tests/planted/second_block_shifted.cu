// Right for the first block alone: the others begin one element too far.
// grid: 16
// block: 256
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int i = blockIdx.x * (blockDim.x + 1) + threadIdx.x;
    float value = in[i];  // expect: out_of_bounds
    out[i] = value;       // expect: out_of_bounds
}
