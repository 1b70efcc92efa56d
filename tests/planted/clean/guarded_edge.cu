// Bounds checked on both sides of a ragged matrix.
// grid: 2 2
// block: 32 8
// arguments: in[2500] out[2500] 50 50
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (row + j < rows && col < cols) tile[j][threadIdx.x] = in[(row + j) * cols + col];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (row + threadIdx.x < rows && blockIdx.x * 32 + j < cols)
            out[(blockIdx.x * 32 + j) * rows + row + threadIdx.x] = tile[threadIdx.x][j];
}
