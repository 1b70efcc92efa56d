/*---
title = "A misaligned store"
reference = "transpose"
block = ["32", "8"]
grid = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
---*/
// Stores four bytes at an odd address.
template <typename T = float>
__global__ void misaligned(const T* in, T* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows || col >= cols) return;
    auto bytes = reinterpret_cast<unsigned char*>(out) + 1;
    *reinterpret_cast<volatile unsigned*>(bytes) = row;
}
