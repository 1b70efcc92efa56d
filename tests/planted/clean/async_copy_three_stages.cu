// Three stages, of which two are under way while one is used.
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
    __shared__ float stage[3][256];
    int i = threadIdx.y * 32 + threadIdx.x, steps = rows / 8;
    for (int ahead = 0; ahead < 2; ++ahead) {
        copy_async(&stage[ahead][i], &in[256 * ahead + i]);
        commit();
    }
    float sum = 0;
    for (int step = 0; step < steps; ++step) {
        wait<1>();
        __syncthreads();
        if (step + 2 < steps) copy_async(&stage[(step + 2) % 3][i], &in[256 * (step + 2) + i]);
        commit();
        sum += stage[step % 3][255 - i];
    }
    out[i] = sum;
}
