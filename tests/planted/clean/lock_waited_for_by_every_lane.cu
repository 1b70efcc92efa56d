// The lanes of eight warps take one lock each in turn, and nobody else gets on meanwhile.
// grid: 1
// block: 256
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ unsigned lock, count;
    if (threadIdx.x == 0) lock = count = 0;
    __syncthreads();
    while (atomicCAS(&lock, 0u, 1u) != 0) {
    }
    __threadfence_block();
    count = count + 1;
    __threadfence_block();
    atomicExch(&lock, 0u);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = count;
}
