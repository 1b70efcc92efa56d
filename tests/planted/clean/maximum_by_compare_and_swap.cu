// As long as its value is larger a thread tries to swap it in; most never do.
// grid: 1
// block: 96
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ int largest;
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();
    int value = threadIdx.x * 37 % 101, old = largest;
    while (value > old) {
        int assumed = old;
        old = atomicCAS(&largest, assumed, value);
        if (old == assumed) break;
    }
    __syncthreads();
    if (threadIdx.x == 0) out[0] = largest;
}
