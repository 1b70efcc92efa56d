// A warp for each 16 x 8 part of a product of halves, by mma.sync with fragments from memory.
#include <cstdint>

__global__ void products(const uint32_t* a, const uint32_t* b, float* c, uint32_t cols, uint32_t inner) {
    uint32_t lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4, half = inner / 2;
    uint32_t part = (blockIdx.x * blockDim.x + threadIdx.x) / 32, row = part / (cols / 8) * 16, col = part % (cols / 8) * 8;
    float sum[4] = {};
    for (uint32_t k = 0; k < half; k += 8) {
        const uint32_t *high = a + (row + group) * half + k + pair, *low = high + 8 * half;
        const uint32_t* right = b + (col + group) * half + k + pair;
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(high[0]), "r"(low[0]), "r"(high[4]), "r"(low[4]), "r"(right[0]), "r"(right[4]));
    }
    float* result = c + (row + group) * cols + col + 2 * pair;
    result[0] = sum[0];
    result[1] = sum[1];
    result[8 * cols] = sum[2];
    result[8 * cols + 1] = sum[3];
}
