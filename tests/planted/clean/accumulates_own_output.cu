// The output is added to after this thread wrote it.
// grid: 4
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    volatile float* result = out;
    int i = blockIdx.x * 32 + threadIdx.x;
    result[i] = in[i];
    result[i] = result[i] + 1;
}
