// float4 in and out of an aligned tile, read as floats.
// grid: 2 2
// block: 8 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ __align__(16) float tile[32][36];
    int x = threadIdx.x, y = threadIdx.y;
    *reinterpret_cast<float4*>(&tile[y][4 * x]) =
        *reinterpret_cast<const float4*>(in + (blockIdx.y * 32 + y) * cols + blockIdx.x * 32 + 4 * x);
    __syncthreads();
    float4 v = make_float4(tile[4 * x][y], tile[4 * x + 1][y], tile[4 * x + 2][y], tile[4 * x + 3][y]);
    *reinterpret_cast<float4*>(out + (blockIdx.x * 32 + y) * rows + blockIdx.y * 32 + 4 * x) = v;
}
