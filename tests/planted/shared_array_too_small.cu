// The tile has 16 rows, the block fills 32.
// grid: 2 2
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[16][33];
    int x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8)
        tile[j][x] = in[(blockIdx.y * 32 + j) * cols + blockIdx.x * 32 + x];  // expect: out_of_bounds
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        out[(blockIdx.x * 32 + j) * rows + blockIdx.y * 32 + x] = tile[x][j];  // expect: out_of_bounds
}
