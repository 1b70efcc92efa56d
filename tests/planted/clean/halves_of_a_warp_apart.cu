// Both halves of a warp sum up by themselves: one __syncwarp, two masks.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[64];
    int i = threadIdx.x;
    unsigned half = i % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
    line[i] = in[i];
    __syncwarp(half);
    for (int step = 8; step > 0; step /= 2) {
        if (i % 16 < step) line[i] += line[i + step];
        __syncwarp(half);
    }
    if (i % 16 == 0) out[i / 16] = line[i];
}
