// A warp for each row of 1,024 floats: the largest, the sum of the powers, and the quotients.
#include <cstdint>

__global__ void softmax(const float* in, float* out, uint32_t rows, uint32_t cols) {
    uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float* mine = in + uint64_t{row} * cols;
    float largest = -INFINITY;
    for (uint32_t i = lane; i < cols; i += 32) largest = fmaxf(largest, mine[i]);
    for (int offset = 16; offset > 0; offset /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, offset));
    float sum = 0;
    for (uint32_t i = lane; i < cols; i += 32) sum += expf(mine[i] - largest);
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
    float* result = out + uint64_t{row} * cols;
    for (uint32_t i = lane; i < cols; i += 32) result[i] = expf(mine[i] - largest) / sum;
}
