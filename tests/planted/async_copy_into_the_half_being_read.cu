// A double buffer without the second barrier: the next copy meets the others' reads.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__device__ void copy_async(float* to, const float* from) {
    unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING>
__device__ void wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float half[2][256];
    int i = threadIdx.y * 32 + threadIdx.x, steps = rows / 16;
    copy_async(&half[0][i], &in[i]);
    commit();
    float sum = 0;
    for (int step = 0; step < steps; ++step) {
        float* to = &half[(step + 1) % 2][i];
        const float* from = &in[256 * (step + 1) + i];
        unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from));  // expect: race
        commit();
        wait<1>();
        __syncthreads();
        sum += half[step % 2][255 - i];
    }
    out[i] = sum;
}
