// __syncwarp names only the lower half; the upper half's values are read too.
// grid: 1
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[32];
    int lane = threadIdx.x;
    line[lane] = in[lane];
    if (lane < 16) {
        __syncwarp(0xffff);
        out[lane] = line[lane + 16];  // expect: race
    }
}
