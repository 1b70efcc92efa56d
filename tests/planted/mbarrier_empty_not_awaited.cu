// The producer fills the one buffer again without waiting until it is empty.
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
    __shared__ float line[32];
    __shared__ Barrier full[2], empty;
    if (threadIdx.x == 0) {
        make(&full[0], 32);
        make(&full[1], 32);
        make(&empty, 32);
    }
    __syncthreads();
    int lane = threadIdx.x % 32;
    float sum = 0;
    for (int step = 0; step < 2; ++step) {
        if (threadIdx.x < 32) {
            line[lane] = in[step * 32 + lane];  // expect: race
            arrive(&full[step]);
        } else {
            wait(&full[step], 0);
            sum += line[31 - lane];
            arrive(&empty);
        }
    }
    if (threadIdx.x >= 32) out[blockIdx.x * 32 + lane] = sum;
}
