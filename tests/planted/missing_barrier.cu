// The tile is read before the other warps have filled it.
// grid: 2 2
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * cols + col];
    col = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    for (int j = 0; j < 32; j += 8)
        out[(col + j) * rows + row] = tile[threadIdx.x][threadIdx.y + j];  // expect: race
}
