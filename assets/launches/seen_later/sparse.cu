// Sparse and gathered: a relaxation in slices, ranks pulled from neighbours, rows of a table, and weights under a mask.
#include <cuda_fp16.h>

// launch jacobi_slices: --kernel jacobi_slices --grid 2048 --block 128 --arg f64[4194304]=-1..1 --arg u32[4194304]=0..1023 --arg i32[262144]=6..16 --arg f64[263168]=-1..1 --arg f64[262144]=-1..1 --arg f64[262144]=16..20 --arg f64[262144] --arg i32:16 --arg f64:0.8
// A damped Jacobi step in doubles; the matrix is stored in slices of 32 rows, entry by entry.
// Rows have 6 to 16 entries, each within a thousand columns of the row.
__global__ void jacobi_slices(const double* __restrict__ values, const unsigned* __restrict__ columns,
                              const int* __restrict__ lengths, const double* __restrict__ x,
                              const double* __restrict__ right, const double* __restrict__ diagonal,
                              double* __restrict__ out, int width, double damping) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int at = row / 32 * width * 32 + lane, length = lengths[row];
    double sum = 0;
    for (int k = 0; k < length; ++k, at += 32) sum += values[at] * x[row + columns[at]];
    out[row] = x[row + 512] + damping * (right[row] - sum) / diagonal[row];
}

// launch pull_ranks: --kernel pull_ranks --grid 8192 --block 256 --arg i32[262144]=0..8388000 --arg i32[262144]=0..60 --arg u32[8388608]=0..262143 --arg f32[262144]=0..1 --arg f32[262144]=0..1 --arg f32[262144] --arg f32:0.85
// A step of PageRank: each page pulls the rank of the pages that link to it, over their number of links.
// Eight lanes share a page, which has up to sixty links.
__global__ void pull_ranks(const int* __restrict__ begins, const int* __restrict__ counts,
                           const unsigned* __restrict__ sources, const float* __restrict__ ranks,
                           const float* __restrict__ shares, float* __restrict__ out, float damping) {
    int page = (blockIdx.x * blockDim.x + threadIdx.x) / 8, part = threadIdx.x % 8;
    int begin = begins[page], end = begin + counts[page];
    float sum = 0;
    for (int k = begin + part; k < end; k += 8) {
        unsigned source = sources[k];
        sum += ranks[source] * shares[source];
    }
    sum += __shfl_xor_sync(~0u, sum, 4);
    sum += __shfl_xor_sync(~0u, sum, 2);
    sum += __shfl_xor_sync(~0u, sum, 1);
    if (part == 0) out[page] = 1 - damping + damping * sum;
}

// launch gather_rows_of_table: --kernel gather_rows_of_table --grid 3907 --block 384 --arg u32[1500000]=0..3999999 --arg u8[4000000]=0..255 --arg f32[4000000]=0..1 --arg f64[4000000]=0..1 --arg u8[1500000] --arg f32[1500000] --arg f64[1500000] --arg i32:1500000
// A join has found which rows of a table are wanted: three columns of one, four and eight bytes are gathered by row.
__global__ void gather_rows_of_table(const unsigned* __restrict__ rows, const unsigned char* __restrict__ flags,
                                     const float* __restrict__ prices, const double* __restrict__ totals,
                                     unsigned char* __restrict__ out_flags, float* __restrict__ out_prices,
                                     double* __restrict__ out_totals, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned row = rows[i];
    out_flags[i] = flags[row];
    out_prices[i] = prices[row];
    out_totals[i] = totals[row];
}

// launch masked_weights: --kernel masked_weights --grid 1024 --block 256 --arg u32[1048576]=0..16777215 --arg f16[25165824]=-1..1 --arg f32[4096]=-1..1 --arg f32[8192] --arg i32:128 --arg i32:3072
// A pruned matrix by a vector: a mask of bits says which weights there are, and these lie close together as halves.
// A warp has a row, a lane a bit; where a weight lies follows from the bits before it.
__global__ void masked_weights(const unsigned* __restrict__ masks, const half* __restrict__ weights,
                               const float* __restrict__ x, float* __restrict__ y, int words, int room) {
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const half* from = weights + (size_t)row * room;
    unsigned before = (1u << lane) - 1;
    float sum = 0;
    for (int first = 0; first < words; first += 32) {
        unsigned mine = masks[row * words + first + lane];
#pragma unroll 4
        for (int k = 0; k < 32; ++k) {
            unsigned mask = __shfl_sync(~0u, mine, k);
            if (mask >> lane & 1) sum += __half2float(from[__popc(mask & before)]) * x[(first + k) * 32 + lane];
            from += __popc(mask);
        }
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}
