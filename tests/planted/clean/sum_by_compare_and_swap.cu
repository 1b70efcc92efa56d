// The loop of the programming guide: a stale first load costs a turn, no more.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__device__ void add(double* sum, double value) {
    unsigned long long* bits = (unsigned long long*)sum;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        double more = value + __longlong_as_double(assumed);
        old = atomicCAS(bits, assumed, __double_as_longlong(more));
    } while (assumed != old);
}
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ double sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    add(&sum, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sum;
}
