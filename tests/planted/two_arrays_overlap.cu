// Two arrays in dynamic shared memory: the second begins in the middle of the first.
// grid: 1
// block: 64
// dynamic shared: 512
// arguments: in[4096] out[4096] 64 64
extern __shared__ float pool[];
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    float *first = pool, *second = pool + 32;
    first[threadIdx.x] = in[threadIdx.x];
    second[threadIdx.x] = in[63 - threadIdx.x];  // expect: race
    __syncthreads();
    out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
