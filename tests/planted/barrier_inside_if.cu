// The barrier is inside the bounds check, which only some lanes of a warp pass.
// grid: 2 6
// block: 32 8
// arguments: in[2400] out[2400] 48 50
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[8][33];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (col < cols) {
        tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
        __syncthreads();  // expect: divergent_barrier
        out[col * rows + row] = tile[threadIdx.y][threadIdx.x];
    }
    if (row == 0) out[0] = in[0];
}
