/*---
title     = "The multiprocessor"
types     = ["f32"]
reference = "copy"
block     = ["THREADS"]
grid      = ["ceil_div(rows * cols, THREADS)"]
require   = [{ expr = "ROOM >= THREADS", why = "Each thread needs a place of its own: make ROOM as large as THREADS." }]
[tile]
array = "room"
rows  = "ROOM / 32"
cols  = "32"
pitch = "32"
[knob.THREADS]
choices = [64, 128, 256, 512, 1024]
help    = "threads in a block"
[knob.ROOM]
choices = [64, 128, 256, 512, 1024, 2048, 4096, 8192]
help    = "numbers that the block has room for in shared memory"
---*/

// Idea: a block stays on one multiprocessor and takes room there: threads, registers and shared
// memory. The array `room` is a part of shared memory.
// Still wrong: the array is larger than the block needs, so fewer blocks fit.
template <typename T = float, int THREADS = 256, int ROOM = 8192>
__global__ void copy_through_room(const T* in, T* out, int rows, int cols) {
    __shared__ T room[ROOM];
    size_t n = size_t(rows) * cols, first = size_t(blockIdx.x) * THREADS;
    int neighbour = threadIdx.x ^ 1;
    if (first + threadIdx.x < n) room[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    if (first + neighbour < n) out[first + neighbour] = room[neighbour];
}
