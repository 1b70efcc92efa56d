/*---
title     = "Banks"
types     = ["f32"]
reference = "copy"
block     = ["128"]
grid      = ["ceil_div(rows * cols, 128)"]
[tile]
array = "room"
rows  = "4 * STRIDE"
cols  = "32"
pitch = "32"
[knob.STRIDE]
choices = [1, 2, 3, 4, 8, 16, 31, 32]
help    = "words from one lane's place in shared memory to the next lane's"
---*/

// Idea: every thread puts its number STRIDE words behind its neighbour's, and takes it out again.
// Still wrong: with some strides the lanes of a warp want different words of one bank.
template <typename T = float, int STRIDE = 2>
__global__ void copy_through_banks(const T* in, T* out, int rows, int cols) {
    __shared__ T room[128 * STRIDE];
    size_t n = size_t(rows) * cols, first = size_t(blockIdx.x) * 128;
    int neighbour = threadIdx.x ^ 1;
    if (first + threadIdx.x < n) room[threadIdx.x * STRIDE] = in[first + threadIdx.x];
    __syncthreads();
    if (first + neighbour < n) out[first + neighbour] = room[neighbour * STRIDE];
}
