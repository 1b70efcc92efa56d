// A double buffer whose halves are never swapped.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float half[2][256];
    int i = threadIdx.y * 32 + threadIdx.x;
    half[0][i] = in[i];
    __syncthreads();
    for (int step = 0; step < rows / 32; ++step) {
        float value = half[0][255 - i];
        half[0][i] = value + in[256 + i];  // expect: race
        __syncthreads();
    }
    out[i] = half[0][i];
}
