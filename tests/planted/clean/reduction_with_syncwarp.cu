// A warp reduces with __syncwarp on either side of each store.
// grid: 1
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float sum[64];
    int lane = threadIdx.x;
    sum[lane] = in[lane];
    sum[lane + 32] = 0;
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
        float other = sum[lane + step];
        __syncwarp();
        sum[lane] += other;
        __syncwarp();
    }
    out[lane] = sum[0];
}
