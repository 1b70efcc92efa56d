// volatile does not stand in for __syncwarp.
// grid: 1
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ volatile float sum[64];
    int lane = threadIdx.x;
    sum[lane] = in[lane];
    sum[lane + 32] = in[lane + 32];
    __syncwarp();
    float mine = sum[lane];
    mine += sum[lane + 16];
    sum[lane] = mine;  // expect: race
    __syncwarp();
    if (lane == 0) out[0] = sum[0];
}
