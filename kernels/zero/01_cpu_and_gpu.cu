/*---
title     = "Many workers that wait together"
types     = ["f32"]
reference = "copy"
block     = ["THREADS"]
grid      = ["ceil_div(rows * cols, THREADS * ITEMS)"]
[knob.THREADS]
choices = [32, 64, 128, 256]
help    = "threads in a block: workers that begin together"
[knob.ITEMS]
choices = [1, 2, 4, 8]
help    = "numbers that each thread copies, one after the other"
---*/

// Idea: THREADS workers copy THREADS * ITEMS numbers. Each waits for its number, stores it, and
// only then asks for the next one.
// Still wrong: a worker that copies several numbers waits several times.
template <typename T = float, int THREADS = 32, int ITEMS = 8>
__global__ void copy_together(const T* in, T* out, int rows, int cols) {
    size_t n = size_t(rows) * cols;
    size_t i = size_t(blockIdx.x) * THREADS * ITEMS + threadIdx.x;
    for (int item = 0; item < ITEMS; ++item, i += THREADS)
        if (i < n) out[i] = in[i];
}
