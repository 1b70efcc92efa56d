// A thread waits for a flag that nobody raises.
// grid: 1
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    volatile int* flag = reinterpret_cast<volatile int*>(out);
    if (threadIdx.x == 0) *flag = 0;
    __syncthreads();
    while (*flag == 0) {}  // expect: runaway
    out[threadIdx.x + 1] = in[threadIdx.x];
}
