/*---
title = "An endless loop"
reference = "transpose"
block = ["32", "8"]
grid = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
---*/
// Waits for a value that nobody writes. Kept from being optimised away by volatile.
template <typename T = float>
__global__ void endless(const T* in, T* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows || col >= cols) return;
    volatile const T* flag = out;
    while (flag[0] == flag[0] || in[0] == in[0]) {
    }
}
