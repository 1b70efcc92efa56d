/*---
title     = "From registers to DRAM"
types     = ["f32"]
reference = "copy"
block     = ["256"]
grid      = ["ceil_div(rows * cols, 256 * HELD)"]
[tile]
array = "room"
rows  = "8"
cols  = "32"
pitch = "32"
[knob.HELD]
choices = [1, 2, 4]
help    = "numbers that a thread holds in registers at the same time"
[knob.SHARED]
choices = [0, 1]
help    = "1: every number makes a detour through shared memory"
---*/

// Idea: a number comes from DRAM into a register. From there it may visit shared memory, and in
// the end it goes back to DRAM.
// Still wrong: the visit to shared memory helps nobody; the number could stay in its register.
template <typename T = float, int HELD = 1, int SHARED = 1>
__global__ void copy_by_levels(const T* in, T* out, int rows, int cols) {
    __shared__ T room[256];
    size_t n = size_t(rows) * cols, first = size_t(blockIdx.x) * 256 * HELD;
    int mine = threadIdx.x, place = SHARED ? mine ^ 1 : mine;
    T held[HELD];
    for (int k = 0; k < HELD; ++k) {
        size_t i = first + k * 256 + mine;
        held[k] = i < n ? in[i] : T(0);
    }
    for (int k = 0; SHARED && k < HELD; ++k) {
        room[mine] = held[k];
        __syncthreads();
        held[k] = room[place];
        __syncthreads();
    }
    for (int k = 0; k < HELD; ++k) {
        size_t i = first + k * 256 + place;
        if (i < n) out[i] = held[k];
    }
}
