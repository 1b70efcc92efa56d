// A warp fills a ring of two buffers, another empties it.
// grid: 2
// block: 64
// arguments: in[4096] out[4096] 64 64
using Barrier = unsigned long long;
__device__ unsigned shared(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void make(Barrier* barrier, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(barrier)), "r"(count));
}
__device__ void arrive(Barrier* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(barrier)) : "memory");
}
__device__ void wait(Barrier* barrier, int parity) {
    asm volatile(
        "{\n.reg .pred over;\nAGAIN:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n@!over bra AGAIN;\n}" ::"r"(
            shared(barrier)),
        "r"(parity)
        : "memory");
}
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[2][32];
    __shared__ Barrier full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) {
            make(&full[i], 32);
            make(&empty[i], 32);
        }
    __syncthreads();
    int lane = threadIdx.x % 32;
    float sum = 0;
    for (int step = 0; step < 8; ++step) {
        int slot = step % 2, parity = step / 2 % 2;
        if (threadIdx.x < 32) {
            wait(&empty[slot], parity ^ 1);
            line[slot][lane] = in[step * 32 + lane];
            arrive(&full[slot]);
        } else {
            wait(&full[slot], parity);
            sum += line[slot][31 - lane];
            arrive(&empty[slot]);
        }
    }
    if (threadIdx.x >= 32) out[blockIdx.x * 32 + lane] = sum;
}
