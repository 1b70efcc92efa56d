// One thread makes the mbarrier, and the others use it at once.
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
        "r"(parity)  // expect: race
        : "memory");
}
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[64];
    __shared__ Barrier full;
    if (threadIdx.x == 0) make(&full, 64);
    line[threadIdx.x] = in[threadIdx.x];
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(&full)));  // expect: race
    wait(&full, 0);
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}
