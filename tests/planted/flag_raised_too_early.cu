// The flag says that the line is there before it is.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[32];
    __shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) ready = 1;
        line[threadIdx.x] = in[threadIdx.x];
    } else {
        while (!ready) __nanosleep(20);
        out[threadIdx.x - 32] = line[63 - threadIdx.x];  // expect: race
    }
}
