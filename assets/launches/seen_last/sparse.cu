// Sparse work: rows streamed through shared memory, triangles of a graph, diagonals, and a level of a triangular solve.

// launch rows_streamed: --kernel rows_streamed --grid 1400 --block 256 --arg u8[358401]=0..7 --arg i32[2867208]=0..358399 --arg f64[2867208]=-1..1 --arg f64[358400]=-1..1 --arg f64[358400]
// A sparse matrix by a vector: 256 rows a block, whose products go to shared memory in order and are then added row by row.
// Rows begin at eight times their number plus a byte of their own.
__global__ void rows_streamed(const unsigned char* __restrict__ extra, const int* __restrict__ cols,
                              const double* __restrict__ values, const double* __restrict__ x, double* __restrict__ y) {
    __shared__ double products[256 * 8 + 8];
    int t = threadIdx.x, row = blockIdx.x * 256 + t, head = blockIdx.x * 256;
    int first = head * 8 + extra[head], last = (head + 256) * 8 + extra[head + 256];
    for (int i = first + t; i < last; i += 256) products[i - first] = values[i] * x[cols[i]];
    int begin = row * 8 + extra[row] - first, end = row * 8 + 8 + extra[row + 1] - first;
    __syncthreads();
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += products[i];
    y[row] = sum;
}

// launch triangle_counts: --kernel triangle_counts --grid 3072 --block 256 --arg i32[49152]=0..65535 --arg i32[49152]=0..65535 --arg i32[65537]=0+24 --arg i32[1572864]=0..65535 --arg u32[49152]
// Triangles of a graph: how many neighbours both ends of an edge have; sixteen lanes an edge.
// Each neighbour of one end is looked for among those of the other by halving.
__global__ void triangle_counts(const int* __restrict__ from, const int* __restrict__ to, const int* __restrict__ offsets,
                                const int* __restrict__ neighbours, unsigned* __restrict__ counts) {
    int edge = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
    int u = from[edge], v = to[edge];
    int begin = offsets[u], end = offsets[u + 1], low_end = offsets[v], high_end = offsets[v + 1];
    unsigned found = 0;
    for (int i = begin + lane; i < end; i += 16) {
        int sought = neighbours[i], low = low_end, high = high_end;
        while (low < high) {
            int middle = (low + high) / 2, seen = neighbours[middle];
            if (seen == sought) {
                ++found;
                break;
            }
            if (seen < sought) low = middle + 1;
            else high = middle;
        }
    }
    for (int step = 8; step > 0; step /= 2) found += __shfl_down_sync(~0u, found, step, 16);
    if (lane == 0) counts[edge] = found;
}

// launch diagonals_product: --kernel diagonals_product --grid 3600 --block 256 --arg f64[6451200]=-1..1 --arg i32[7]=-2880+960 --arg f64[921600]=-1..1 --arg f64[921600] --arg i32:921600
// A matrix of seven diagonals of doubles by a vector; where the diagonals lie is read from a list.
__global__ void diagonals_product(const double* __restrict__ values, const int* __restrict__ shifts,
                                  const double* __restrict__ x, double* __restrict__ y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
#pragma unroll
    for (int d = 0; d < 7; ++d) {
        int col = row + shifts[d];
        if (col >= 0 && col < n) sum += values[d * n + row] * x[col];
    }
    y[row] = sum;
}

// launch level_of_solve: --kernel level_of_solve --grid 1920 --block 256 --arg i32[122880]=131072..262143 --arg i32[262145]=0+14 --arg i32[3670016]=0..131071 --arg f32[3670016]=-0.2..0.2 --arg f32[262144]=1..2 --arg f32[262144]=-1..1 --arg f32[262144]=-1..1
// One level of an incomplete factor's triangular solve: rows of a list, which only need rows of earlier levels.
// Four lanes have a row.
__global__ void level_of_solve(const int* __restrict__ rows, const int* __restrict__ offsets, const int* __restrict__ cols,
                               const float* __restrict__ values, const float* __restrict__ diagonal,
                               const float* __restrict__ right, float* x) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 4, lane = threadIdx.x % 4, row = rows[i];
    float sum = 0;
    for (int k = offsets[row] + lane; k < offsets[row + 1]; k += 4) sum += values[k] * x[cols[k]];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    if (lane == 0) x[row] = (right[row] - sum) / diagonal[row];
}
