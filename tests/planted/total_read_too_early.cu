// The last block takes the total for complete.
// grid: 4
// block: 32
// arguments: data[32] out[32]
__global__ void kernel(int* data, int* out) {
    atomicAdd(&data[5], static_cast<int>(threadIdx.x));
    if (blockIdx.x == 3) out[threadIdx.x] = data[5];  // expect: block_order
}
