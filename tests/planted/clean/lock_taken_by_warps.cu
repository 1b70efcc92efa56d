// One lane takes the lock for its warp, and the list behind it grows by four.
// grid: 1
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ unsigned lock, length;
    __shared__ float list[16];
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) lock = length = 0;
    __syncthreads();
    if (lane == 0) {
        while (atomicCAS(&lock, 0u, 1u) != 0) __nanosleep(20);
        __threadfence_block();
    }
    __syncwarp();
    if (lane < 4) list[length + lane] = in[threadIdx.x];
    __syncwarp();
    if (lane == 0) {
        length += 4;
        __threadfence_block();
        atomicExch(&lock, 0u);
    }
    __syncthreads();
    if (threadIdx.x < length) out[threadIdx.x] = list[threadIdx.x];
}
