// The index of row 16 and up does not fit an int: it becomes negative.
// grid: 1 4
// block: 1 8
// arguments: in[4096] out[4096] 134217728 32
__global__ void kernel(const float* in, float* out, int rows, int cols) {
    unsigned row = blockIdx.y * 8 + threadIdx.y;
    int at = static_cast<int>(row * rows);
    if (at < cols)
        out[at] = in[row];  // expect: out_of_bounds
}
