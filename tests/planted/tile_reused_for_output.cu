// The tile is overwritten for the next step before everybody has read it.
// grid: 1
// block: 32 8
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[256];
    int i = threadIdx.y * 32 + threadIdx.x;
    tile[i] = in[i];
    __syncthreads();
    float value = tile[255 - i];
    tile[i] = value + 1;  // expect: race
    __syncthreads();
    out[i] = tile[i];
}
