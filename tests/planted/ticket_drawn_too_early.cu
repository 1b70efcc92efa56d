// The ticket is drawn before the partial sum is stored.
// grid: 1
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float partial[4];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0) ticket = 0;
    __syncthreads();
    if (threadIdx.x % 32 != 0) return;
    bool last = atomicAdd(&ticket, 1u) == 3;
    __threadfence_block();
    partial[threadIdx.x / 32] = in[threadIdx.x];
    if (!last) return;
    float sum = 0;
    for (int w = 0; w < 4; ++w) sum += partial[w];  // expect: race
    out[0] = sum;
}
