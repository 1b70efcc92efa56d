// Each half waits at a barrier of its own for the whole block.
// grid: 1
// block: 128
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    int i = threadIdx.x;
    float value = in[i];
    if (i < 64) {
        asm volatile("bar.sync 1, 128;" ::: "memory");  // expect: deadlock
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
    }
    out[i] = value;
}
