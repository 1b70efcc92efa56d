// A named barrier for two warps; a third one writes what they read.
// grid: 1
// block: 96
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float line[96];
    int i = threadIdx.x;
    line[i] = in[i];
    if (i < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[i] = line[i + 32];  // expect: race
    }
}
