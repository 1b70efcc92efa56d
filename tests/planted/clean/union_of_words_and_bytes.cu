// One array as floats, words and bytes, a barrier at each change.
// grid: 1
// block: 64
// arguments: in[4096] out[4096] 64 64
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    __shared__ union {
        float floats[64];
        unsigned words[64];
        unsigned char bytes[256];
    } all;
    int i = threadIdx.x;
    all.floats[i] = in[i];
    __syncthreads();
    unsigned word = all.words[63 - i], last = all.bytes[4 * i + 3];
    __syncthreads();
    for (int part = 0; part < 4; ++part) all.bytes[64 * part + i] = (unsigned char)(last >> part);
    __syncthreads();
    out[i] = all.words[i] + word;
}
