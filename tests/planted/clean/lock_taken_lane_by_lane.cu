// Every thread takes the lock once: what one did under it is there for the next.
// grid: 2
// block: 96
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ unsigned lock, count;
    __shared__ float sum;
    if (threadIdx.x == 0) lock = count = 0, sum = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0u, 1u) != 0) continue;
        __threadfence_block();
        count = count + 1;
        sum = sum + threadIdx.x;
        __threadfence_block();
        atomicExch(&lock, 0u);
        done = true;
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum / count;
}
