// The first block clears the counter that all of them add to.
// grid: 4
// block: 32
// arguments: data[32] out[32]
__global__ void kernel(unsigned* data, float* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) data[5] = 0;
    __syncthreads();
    atomicAdd(&data[5], 1);  // expect: block_order
}
