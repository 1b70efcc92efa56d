// The store's guard is the load's: right where the matrix is square, or a multiple of the tile.
// grid: 3 2
// block: 32 8
// arguments: in[3500] out[3500] 50 70
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x >= cols || y + j >= rows) continue;
        float value = tile[threadIdx.x][threadIdx.y + j];  // expect: uninitialized_shared
        out[(y + j) * rows + x] = value;
    }
}
