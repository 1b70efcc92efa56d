// A sparse matrix in CSR times a vector, a warp for each row; rows of 0 to 19 entries.
// lanewise-engine run spmv_csr.cu --kernel spmv --grid 3 --block 96 --arg f32[9] --arg f32[256] --arg u32[64]
// results: exact
__global__ void spmv(float* __restrict__ y, const float* __restrict__ x, const unsigned* __restrict__ seed) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    int begin = 0;
    for (int r = 0; r < row; ++r) begin += __ldg(seed + r) % 20;
    int end = begin + __ldg(seed + row) % 20;
    float sum = 0;
    for (int i = begin + lane; i < end; i += 32) sum += 0.5f * (i % 7) * x[seed[i % 64] % 256] / 256;
    for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(~0u, sum, offset);
    if (lane == 0) y[row] = sum;
}
