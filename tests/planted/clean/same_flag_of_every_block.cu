// Every block may raise the flag, all to the same value.
// grid: 8
// block: 32
// arguments: in[4096] out[32] data[32]
__global__ void kernel(const unsigned* in, unsigned* out, int* data) {
    if (in[blockIdx.x * 32 + threadIdx.x] > 5) out[3] = 1;
    if (threadIdx.x < 4) data[threadIdx.x] = 7;
}
