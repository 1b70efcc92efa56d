// Softmax of rows of 100, one warp each: maximum, exponentials, sum, division.
// lanewise-engine run softmax.cu --kernel softmax --grid 5 --block 32 --arg f32[500] --arg u32[500]
// results: within 1e-5 of the value, f32
__global__ void softmax(float* out, const unsigned* in) {
    float x[4], most = -1e30f, sum = 0;
    for (int k = 0; k < 4; ++k) {
        int i = threadIdx.x + 32 * k;
        x[k] = i < 100 ? (in[blockIdx.x * 100 + i] & 0xffff) / 8192.0f : -1e30f;
        most = fmaxf(most, x[k]);
    }
    for (int by = 16; by > 0; by /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, by));
    for (int k = 0; k < 4; ++k) sum += x[k] = expf(x[k] - most);
    for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
    for (int k = 0; k < 4; ++k)
        if (threadIdx.x + 32 * k < 100) out[blockIdx.x * 100 + threadIdx.x + 32 * k] = x[k] / sum;
}
