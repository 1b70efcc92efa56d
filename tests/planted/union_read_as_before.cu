// The words of the union are stored over its floats, and these are read once more.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ union {
        float floats[64];
        unsigned words[32];
    } both;
    int i = threadIdx.x;
    both.floats[i] = in[i];
    __syncthreads();
    if (i < 32) both.words[i] = i;
    out[i] = both.floats[i ^ 32];  // expect: race
}
