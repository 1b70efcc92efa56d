// A loop over tiles has its barrier only at the end.
// grid: 2
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    for (int from = 0; from < cols; from += 32) {
        for (int j = threadIdx.y; j < 32; j += 8)
            tile[j][threadIdx.x] = in[(blockIdx.x * 32 + j) * cols + from + threadIdx.x];
        for (int j = threadIdx.y; j < 32; j += 8)
            out[(from + j) * rows + blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x][j];  // expect: race
        __syncthreads();
    }
}
