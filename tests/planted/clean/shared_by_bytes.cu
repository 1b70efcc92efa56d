// Neighbouring bytes of a word belong to different warps.
// grid: 1
// block: 256
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ __align__(4) unsigned char bytes[256];
    int i = threadIdx.x;
    bytes[i % 4 * 64 + i / 4] = static_cast<unsigned char>(i);
    __syncthreads();
    reinterpret_cast<unsigned char*>(out)[i] = bytes[i];
}
