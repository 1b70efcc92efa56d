/*---
title = "A memory eater"
reference = "transpose"
block = ["32", "8"]
grid = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
---*/
// A quarter of a megabyte for each thread, which the driver reserves for every thread that the card can hold.
template <typename T = float>
__global__ void eats_memory(const T* in, T* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows || col >= cols) return;
    volatile unsigned char hoard[262144];
    for (int i = 0; i < 262144; i += 4096) hoard[(i + col) % 262144] = row;
    out[size_t(col) * rows + row] = in[size_t(row) * cols + col] + T(hoard[row] & 0);
}
