// Threads of two warps store a short over each other's byte.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ __align__(4) unsigned char bytes[256];
    int i = threadIdx.x;
    if (i < 32)
        reinterpret_cast<unsigned short*>(bytes)[i] = static_cast<unsigned short>(i + 700);
    else
        bytes[2 * i - 63] = static_cast<unsigned char>(i);  // expect: race
    __syncthreads();
    if (i < 64) reinterpret_cast<unsigned char*>(out)[i] = bytes[i];
}
