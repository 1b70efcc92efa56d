// A half of the double buffer is cleared while the copy into it is under way.
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
    int i = threadIdx.y * 32 + threadIdx.x;
    copy_async(&half[0][i], &in[i]);
    commit();
    copy_async(&half[1][i], &in[256 + i]);
    commit();
    wait<1>();
    __syncthreads();
    out[i] = half[0][255 - i];
    half[1][255 - i] = 0;  // expect: race
    wait<0>();
    __syncthreads();
    out[256 + i] = half[1][255 - i];
}
