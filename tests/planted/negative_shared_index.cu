// The neighbour on the left in shared memory.
// grid: 1
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[32];
    line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = line[static_cast<int>(threadIdx.x) - 1];  // expect: out_of_bounds
}
