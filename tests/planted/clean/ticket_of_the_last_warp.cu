// The warp that draws the last ticket reads what all others have stored.
// grid: 2
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float partial[4];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0) ticket = 0;
    __syncthreads();
    if (threadIdx.x % 32 != 0) return;
    partial[threadIdx.x / 32] = in[threadIdx.x];
    __threadfence_block();
    if (atomicAdd(&ticket, 1u) != 3) return;
    __threadfence_block();
    out[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
}
