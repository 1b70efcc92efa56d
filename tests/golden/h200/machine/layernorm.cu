// Layer normalisation of rows of 96: sums in a fixed order, a square root and a division.
// lanewise-engine run layernorm.cu --kernel layernorm --grid 3 --block 32 --arg f32[288] --arg u32[288]
// results: exact
__global__ void layernorm(float* out, const unsigned* in) {
    float x[3], sum = 0, squares = 0;
    for (int k = 0; k < 3; ++k) {
        x[k] = (float)(in[blockIdx.x * 96 + threadIdx.x + 32 * k] & 0xfff);
        sum += x[k];
    }
    for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
    float mean = sum / 96.0f;
    for (int k = 0; k < 3; ++k) squares = __fmaf_rn(x[k] - mean, x[k] - mean, squares);
    for (int by = 16; by > 0; by /= 2) squares = __fadd_rn(squares, __shfl_xor_sync(~0u, squares, by));
    float deviation = sqrtf(__fadd_rn(squares / 96.0f, 1e-5f));
    for (int k = 0; k < 3; ++k)
        out[blockIdx.x * 96 + threadIdx.x + 32 * k] = (x[k] - mean) / deviation;
}
