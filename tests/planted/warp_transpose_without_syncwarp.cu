// A warp turns its own 32 values round without __syncwarp.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[8][32];
    line[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    out[threadIdx.y * 32 + threadIdx.x] = line[threadIdx.y][31 - threadIdx.x];  // expect: race
}
