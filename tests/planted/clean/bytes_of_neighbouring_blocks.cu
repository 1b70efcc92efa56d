// Blocks of 25 threads store bytes: neighbours share words and sectors, but no byte.
// grid: 4
// block: 25
// arguments: data[64] out[64]
__global__ void kernel(unsigned char* data, unsigned char* out) {
    int i = blockIdx.x * 25 + threadIdx.x;
    data[i] = static_cast<unsigned char>(data[i] + 1);
    out[i] = data[i];
}
