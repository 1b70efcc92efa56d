// Four sparse kernels: a product in sliced rows, a round of independent sets in a graph, gradients of the cells of an unstructured mesh, and a Chebyshev smoothing step.
#include <cuda_fp16.h>

// launch sliced_rows_product: --kernel sliced_rows_product --grid 782 --block 256 --arg i32[6251]=0+640 --arg i32[200000]=6..20 --arg i32[4000000]=0..199999 --arg f64[4000000]=-1..1 --arg f64[200000]=-1..1 --arg f64[200000]=-1..1 --arg f64[200000] --arg f64:1.5 --arg f64:-0.5 --arg i32:200000
// Linear algebra: y = a A x + b z with A in slices of 32 rows, each slice stored by columns and padded to its longest row. A thread a
// row, which stops at its own length.
__global__ void sliced_rows_product(const int* __restrict__ slice_start, const int* __restrict__ row_length, const int* __restrict__ column,
                                    const double* __restrict__ value, const double* __restrict__ x, const double* __restrict__ z,
                                    double* __restrict__ y, double a, double b, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int at = slice_start[row >> 5] + (row & 31);
    const int n = row_length[row];
    double sum = 0.0;
    for (int k = 0; k < n; ++k, at += 32) sum += value[at] * x[column[at]];
    y[row] = a * sum + b * z[row];
}

// launch independent_set_round: --kernel independent_set_round --grid 1563 --block 256 --arg i32[400001]=0+12 --arg i32[400000]=0..12 --arg i32[4800000]=0..399999 --arg u8[400000]=0..2 --arg u8[400000] --arg u32[1]=0 --arg i32:400000 --arg u32:7
// Graphs: one round of Luby's independent set. A thread a vertex that is still undecided compares its hashed priority with those of
// its undecided neighbours; a neighbour in the set puts it out. The undecided are counted.
__global__ void independent_set_round(const int* adjacency_start, const int* degree, const int* neighbour, const unsigned char* state,
                                      unsigned char* new_state, unsigned* undecided, int vertices, unsigned seed)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    bool open = false;
    if (v < vertices) {
        unsigned char s = state[v];
        if (s == 0) {
            unsigned p = ((unsigned)v ^ seed) * 0x9e3779b1u;
            p = (p ^ (p >> 15)) * 0x85ebca77u;
            p ^= p >> 13;
            const int begin = adjacency_start[v], end = begin + degree[v];
            s = 1;
            for (int e = begin; e < end; ++e) {
                const int u = neighbour[e];
                const unsigned char su = state[u];
                if (su == 1) {
                    s = 2;
                    break;
                }
                if (su == 0 && s == 1) {
                    unsigned q = ((unsigned)u ^ seed) * 0x9e3779b1u;
                    q = (q ^ (q >> 15)) * 0x85ebca77u;
                    q ^= q >> 13;
                    if (q > p || (q == p && u > v)) s = 0;
                }
            }
            open = s == 0;
        }
        new_state[v] = s;
    }
    const int in_block = __syncthreads_count(open);
    if (threadIdx.x == 0 && in_block) atomicAdd(undecided, (unsigned)in_block);
}

// launch cell_gradients: --kernel cell_gradients --grid 1954 --block 128 --arg i32[1000000]=-9999..249999 --arg f32[1000000]=0..1 --arg f32[250000]=-3..3 --arg f32[250000] --arg f32[250000] --arg f32[250000] --arg i32:250000
// Finite volumes: least-squares gradient of a field in tetrahedra from up to four neighbours, a negative index being a boundary face. A
// thread a cell gathers centres (four floats) and values, then solves three by three by cofactors.
__global__ void cell_gradients(const int* __restrict__ neighbours, const float4* __restrict__ centre, const float* __restrict__ field,
                               float* __restrict__ gx, float* __restrict__ gy, float* __restrict__ gz, int cells)
{
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= cells) return;
    const float4 here = centre[cell];
    const float value = field[cell];
    float xx = 1e-6f, yy = 1e-6f, zz = 1e-6f, xy = 0.f, xz = 0.f, yz = 0.f, bx = 0.f, by = 0.f, bz = 0.f;
#pragma unroll
    for (int f = 0; f < 4; ++f) {
        const int other = neighbours[f * cells + cell];
        if (other < 0) continue;
        const float4 c = centre[other];
        const float dx = c.x - here.x, dy = c.y - here.y, dz = c.z - here.z;
        const float w = 1.f / (dx * dx + dy * dy + dz * dz + 1e-12f);
        const float dv = w * (field[other] - value);
        xx += w * dx * dx;
        yy += w * dy * dy;
        zz += w * dz * dz;
        xy += w * dx * dy;
        xz += w * dx * dz;
        yz += w * dy * dz;
        bx += dx * dv;
        by += dy * dv;
        bz += dz * dv;
    }
    const float c00 = yy * zz - yz * yz, c01 = xz * yz - xy * zz, c02 = xy * yz - xz * yy;
    const float c11 = xx * zz - xz * xz, c12 = xy * xz - xx * yz, c22 = xx * yy - xy * xy;
    const float det = xx * c00 + xy * c01 + xz * c02;
    const float inv = fabsf(det) > 1e-12f ? 1.f / det : 0.f;
    gx[cell] = inv * (c00 * bx + c01 * by + c02 * bz);
    gy[cell] = inv * (c01 * bx + c11 * by + c12 * bz);
    gz[cell] = inv * (c02 * bx + c12 * by + c22 * bz);
}

// launch chebyshev_step: --kernel 'chebyshev_step<8>' --grid 3125 --block 256 --arg i32[100001]=0+27 --arg i32[2700000]=0..99999 --arg f64[2700000]=-1..1 --arg f64[100000]=0.1..1 --arg f64[100000]=-1..1 --arg f64[100000]=-1..1 --arg f64[100000]=-1..1 --arg f64[100000] --arg f64[100000] --arg f64:0.4 --arg f64:0.7 --arg i32:100000
// Multigrid: a Chebyshev smoothing step, the residual of a matrix in compressed rows with the updates of direction and solution in the
// same kernel. Eight lanes a row.
template <int LANES>
__global__ void chebyshev_step(const int* __restrict__ row_start, const int* __restrict__ column, const double* __restrict__ value,
                               const double* __restrict__ inverse_diagonal, const double* __restrict__ right, const double* __restrict__ x,
                               const double* __restrict__ direction, double* __restrict__ new_direction, double* __restrict__ new_x,
                               double c1, double c2, int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    const int lane = threadIdx.x % LANES;
    double sum = 0.0;
    if (row < rows) {
        const int end = row_start[row + 1];
        for (int e = row_start[row] + lane; e < end; e += LANES) sum += value[e] * __ldg(x + column[e]);
    }
#pragma unroll
    for (int d = LANES / 2; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d, LANES);
    if (row < rows && lane == 0) {
        const double d = c1 * direction[row] + c2 * inverse_diagonal[row] * (right[row] - sum);
        new_direction[row] = d;
        new_x[row] = x[row] + d;
    }
}
