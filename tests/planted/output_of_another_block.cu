// Counts on the block before this one having run.
// grid: 4
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int i = blockIdx.x * 32 + threadIdx.x;
    float before = blockIdx.x > 0 ? out[i - 32] : 0.0f;  // expect: uninitialized_global
    out[i] = before + in[i];
}
