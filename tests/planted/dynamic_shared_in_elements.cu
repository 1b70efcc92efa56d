// The launch gives elements where it should give bytes.
// grid: 1
// block: 256
// dynamic shared: 256
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    extern __shared__ float line[];
    line[threadIdx.x] = in[threadIdx.x];  // expect: out_of_bounds
    __syncthreads();
    out[threadIdx.x] = line[255 - threadIdx.x];  // expect: out_of_bounds
}
