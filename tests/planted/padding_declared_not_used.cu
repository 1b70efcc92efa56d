// The tile is padded, but the index is computed with an odd pitch of its own.
// grid: 2 2
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32 * 33];
    int x = threadIdx.x, y = threadIdx.y;
    for (int j = y; j < 32; j += 8)
        tile[j * 32 + x] = in[(blockIdx.y * 32 + j) * cols + blockIdx.x * 32 + x];
    __syncthreads();
    for (int j = y; j < 32; j += 8)
        out[(blockIdx.x * 32 + j) * rows + blockIdx.y * 32 + x] = tile[x * 33 + j];  // expect: uninitialized_shared
}
