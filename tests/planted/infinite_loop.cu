// The loop's counter is never advanced.
// grid: 1
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int i = threadIdx.x, step = cols - 64;
    for (int j = 0; j < rows; j += step)
        reinterpret_cast<volatile float*>(out)[i] = in[i];  // expect: runaway
}
