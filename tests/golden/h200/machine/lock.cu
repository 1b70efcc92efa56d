// A lock that every thread of two warps takes once, and a flag between warps.
// lanewise-engine run lock.cu --kernel lock --grid 1 --block 64 --arg u32[66]
// results: exact
__global__ void lock(unsigned* out) {
    __shared__ unsigned taken, count;
    __shared__ volatile int flag;
    if (threadIdx.x == 0) taken = count = 0, flag = 0;
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&taken, 0u, 1u) == 0) {
            count = count * 3 + 1;
            __threadfence_block();
            atomicExch(&taken, 0u);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 40) {
        out[64] = count;
        __threadfence();
        flag = 1;
    } else if (threadIdx.x == 3) {
        while (flag == 0) __nanosleep(20);
        out[65] = flag + 1;
    }
    out[threadIdx.x] = threadIdx.x;
}
