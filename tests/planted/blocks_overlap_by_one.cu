// Each block's last element is the next one's first, and they compute different things for it.
// grid: 4
// block: 32
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int i = blockIdx.x * 31 + threadIdx.x;
    out[i] = in[i] + threadIdx.x;  // expect: block_order
}
