// The copies are in no group yet when the groups are waited for.
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
    __shared__ float line[256];
    int i = threadIdx.y * 32 + threadIdx.x;
    copy_async(&line[i], &in[i]);
    wait<0>();
    commit();
    __syncthreads();
    out[i] = line[255 - i];  // expect: race
}
