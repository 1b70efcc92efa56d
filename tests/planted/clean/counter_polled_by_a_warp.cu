// Three warps count themselves done; none looks at the count, the fourth waits for it.
// grid: 1
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[96];
    __shared__ unsigned done;
    if (threadIdx.x == 0) done = 0;
    __syncthreads();
    if (threadIdx.x < 96) {
        line[threadIdx.x] = in[threadIdx.x];
        __syncwarp();
        __threadfence_block();
        if (threadIdx.x % 32 == 0) atomicAdd(&done, 1u);
        return;
    }
    while (atomicAdd(&done, 0u) < 3) __nanosleep(20);
    __threadfence_block();
    for (int i = threadIdx.x - 96; i < 96; i += 32) out[i] = line[95 - i];
}
