// A named barrier waits for 128 threads; 64 come.
// grid: 1
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[128];
    int i = threadIdx.x;
    tile[i] = in[i];
    if (i < 64) asm volatile("bar.sync 1, 128;" ::: "memory");  // expect: deadlock
    out[i] = tile[i];
}
