// A byte of every pair is written, both are read.
// grid: 1
// block: 256
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ __align__(4) unsigned char bytes[512];
    int i = threadIdx.x;
    bytes[2 * i] = static_cast<unsigned char>(reinterpret_cast<const unsigned*>(in)[i]);
    __syncthreads();
    reinterpret_cast<unsigned short*>(out)[255 - i] =
        reinterpret_cast<unsigned short*>(bytes)[255 - i];  // expect: uninitialized_shared
}
