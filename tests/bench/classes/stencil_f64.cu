// Nine points of doubles around each element, of a grid whose edge stays as it is.
#include <cstdint>

__global__ void stencil_f64(const double* in, double* out, uint32_t rows, uint32_t cols) {
    uint32_t col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row == 0 || col == 0 || row + 1 >= rows || col + 1 >= cols) return;
    const double* above = in + uint64_t{row - 1} * cols + col;
    const double *here = above + cols, *below = here + cols;
    double corners = above[-1] + above[1] + below[-1] + below[1];
    double sides = above[0] + below[0] + here[-1] + here[1];
    out[uint64_t{row} * cols + col] = 0.25 * here[0] + 0.125 * sides + 0.0625 * corners;
}
