/*---
title     = "Copy, 16 bytes at a time"
types     = ["f32", "f64", "f16", "u8", "f32x4"]
reference = "copy"
block     = ["THREADS"]
grid      = ["ceil_div(rows * cols * element_bytes, 16 * THREADS * LOADS)"]
[knob.THREADS]
choices = [128, 256, 512, 1024]
help    = "threads in a block"
[knob.LOADS]
choices = [1, 2, 4, 8]
help    = "16-byte loads that each thread starts before it stores the first"
---*/

// Idea: a copy has no rows and columns, only bytes. Each thread moves 16 of them at once: fewer
// instructions, more bytes on their way. With more LOADS it asks for as many vectors before it waits
// for any of them, which cards need that hold fewer threads. This is the ceiling.
// Still wrong: nothing for a copy. It is only not a transpose.
template <typename T = float, int THREADS = 256, int LOADS = 1>
__global__ void copy_wide(const T* in, T* out, int rows, int cols) {
    const uint4* from = reinterpret_cast<const uint4*>(in);  // <- 16 bytes
    uint4* to = reinterpret_cast<uint4*>(out);
    size_t elements = size_t(rows) * cols;
    size_t vectors = elements * sizeof(T) / 16;
    size_t first = size_t(blockIdx.x) * (THREADS * LOADS) + threadIdx.x;

    uint4 held[LOADS];
    for (int i = 0; i < LOADS; ++i)  // <- every load starts before the first store
        if (first + i * THREADS < vectors) held[i] = from[first + i * THREADS];
    for (int i = 0; i < LOADS; ++i)
        if (first + i * THREADS < vectors) to[first + i * THREADS] = held[i];

    // The last few elements, which do not fill a vector.
    size_t rest = vectors * (16 / sizeof(T)) + threadIdx.x;
    if (blockIdx.x == 0 && rest < elements) out[rest] = in[rest];
}
