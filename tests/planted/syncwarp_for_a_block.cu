// __syncwarp where the values come from other warps.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[256];
    int i = threadIdx.y * 32 + threadIdx.x;
    line[i] = in[i];
    __syncwarp();
    out[i] = line[255 - i];  // expect: race
}
