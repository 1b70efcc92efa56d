// Counts on what the next block stores in the same launch.
// grid: 4
// block: 32
// arguments: data[128] out[128]
__global__ void kernel(int* data, int* out) {
    int i = blockIdx.x * 32 + threadIdx.x;
    data[i] = i;
    out[i] = data[(i + 32) % 128];  // expect: block_order
}
