/*---
title   = "A square in each thread"
types   = ["f32"]
block   = ["ACROSS", "256 / ACROSS"]
grid    = ["ceil_div(cols, ACROSS * SIDE)", "ceil_div(rows, 256 / ACROSS * SIDE)"]
[without]
f64   = "This step shows the idea for floats; the register tiles use it for every type."
f16   = "This step shows the idea for floats; the register tiles use it for every type."
u8    = "This step shows the idea for floats; the register tiles use it for every type."
f32x4 = "This step shows the idea for floats; the register tiles use it for every type."
[knob.SIDE]
choices = [1, 2, 4]
help    = "a thread transposes SIDE x SIDE elements in its registers"
[knob.ACROSS]
choices = [4, 8, 16, 32]
help    = "lanes of a warp side by side in the input; the others lie below them"
---*/

// Idea: a thread loads a small square, SIDE vectors below each other, and stores it transposed. Both
// sides move whole vectors. There is no tile, no barrier and no exchange between lanes.
// Still wrong: lanes that lie side by side in the input are far apart in the output. What a warp
// loads in one long piece it stores in many short ones, or the other way round.
template <typename T, int SIDE>
struct alignas(sizeof(T) * SIDE) Vector {
    T element[SIDE];
};

template <typename T = float, int SIDE = 4, int ACROSS = 16>
__global__ void transpose_squares(const T* in, T* out, int rows, int cols) {
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * SIDE;
    int col = (blockIdx.x * ACROSS + threadIdx.x) * SIDE;
    if (row >= rows || col >= cols) return;
    Vector<T, SIDE> held[SIDE];
    for (int i = 0; i < SIDE; ++i) {
        if (row + i >= rows) break;
        const T* from = &in[size_t(row + i) * cols + col];
        if (cols % SIDE == 0)  // every row begins at a whole vector
            held[i] = *reinterpret_cast<const Vector<T, SIDE>*>(from);
        else
            for (int k = 0; k < SIDE; ++k)
                if (col + k < cols) held[i].element[k] = from[k];
    }
    for (int i = 0; i < SIDE; ++i) {
        if (col + i >= cols) break;
        Vector<T, SIDE> turned;
        for (int k = 0; k < SIDE; ++k) turned.element[k] = held[k].element[i];  // <-
        T* to = &out[size_t(col + i) * rows + row];
        if (rows % SIDE == 0)
            *reinterpret_cast<Vector<T, SIDE>*>(to) = turned;
        else
            for (int k = 0; k < SIDE; ++k)
                if (row + k < rows) to[k] = turned.element[k];
    }
}
