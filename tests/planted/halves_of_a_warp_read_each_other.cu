// Each half of the warp waits for itself, and reads what the other stored.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[64];
    int i = threadIdx.x;
    unsigned half = i % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
    line[i] = in[i];
    __syncwarp(half);
    out[i] = line[i ^ 16];  // expect: race
}
