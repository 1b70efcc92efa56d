// Padding by one makes every other row of float2 misaligned.
// grid: 1
// block: 16 16
// arguments: in[512] out[512] 16 32
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[16][33];
    int x = threadIdx.x, y = threadIdx.y;
    float2 pair = *reinterpret_cast<const float2*>(in + y * cols + 2 * x);
    *reinterpret_cast<float2*>(&tile[y][2 * x]) = pair;  // expect: misaligned
    __syncthreads();
    out[(2 * x) * rows + y] = tile[y][2 * x];
}
