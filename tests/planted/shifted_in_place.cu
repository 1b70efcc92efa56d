// Shifts an array within itself: right within a block, whose threads wait for each other.
// grid: 4
// block: 32
// arguments: data[160] 128
__global__ void kernel(float* data, int count) {
    int i = blockIdx.x * 32 + threadIdx.x;
    float next = data[i + 1];  // expect: block_order
    __syncthreads();
    data[i] = next;
}
