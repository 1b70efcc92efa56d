// The place in the tile leaves out threadIdx.z, so two layers of the block share it.
// grid: 1
// block: 8 4 2
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32];
    int place = threadIdx.y * 8 + threadIdx.x, i = threadIdx.z * 32 + place;
    tile[place] = in[i];  // expect: race
    __syncthreads();
    out[i] = tile[31 - place];
}
