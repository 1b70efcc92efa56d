/*---
title     = "Sector and line"
types     = ["f32", "f16"]
reference = "copy"
block     = ["256"]
grid      = ["ceil_div(rows * cols + OFFSET, 256)"]
[knob.STRIDE]
choices = [1, 2, 4, 8]
help    = "elements from one lane's element to the next lane's"
[knob.OFFSET]
choices = [0, 1, 8, 16]
help    = "elements by which every block begins earlier"
---*/

// Idea: the 256 threads of a block copy 256 neighbouring elements, and STRIDE says in which order.
// Still wrong: the further apart the lanes of a warp read, the more sectors the warp touches.
template <typename T = float, int STRIDE = 2, int OFFSET = 0>
__global__ void copy_apart(const T* in, T* out, int rows, int cols) {
    int place = threadIdx.x % (256 / STRIDE) * STRIDE + threadIdx.x / (256 / STRIDE);
    size_t i = size_t(blockIdx.x) * 256 + place - OFFSET;
    if (i < size_t(rows) * cols) out[i] = in[i];
}
