/*---
title = "A talkative kernel"
reference = "transpose"
block = ["32", "8"]
grid = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
---*/
// Each launch fills the card's printf buffer (1 MiB) several times over.
template <typename T = float>
__global__ void prints_much(const T* in, T* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= rows || col >= cols) return;
    out[size_t(col) * rows + row] = in[size_t(row) * cols + col];
    for (int i = 0; i < 16; ++i)
        printf("row %d, column %d, round %d: %s\n", row, col, i,
               "a line that is long enough to fill the buffer quickly, again and again");
}
