// Reductions: ranks of true labels, expectation of a Pauli string, log likelihood of a phylogeny's root, and revenue of the rows that pass a filter.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// launch label_ranks: --kernel label_ranks --grid 4096 --block 128 --arg f32[4096000]=-8..8 --arg i32[4096]=0..999 --arg i32[4096] --arg f32[4096] --arg i32:1000
// Evaluation of classifiers: how many classes score above the true one (for top-1, top-5 and mean reciprocal rank); a
// block per row counts with vector loads, ties going to the smaller class.
__global__ void label_ranks(const float *__restrict__ scores, const int *__restrict__ labels, int *__restrict__ ranks,
                            float *__restrict__ reciprocal, int classes)
{
    __shared__ int warp_counts[4];
    const float *row = scores + (size_t)blockIdx.x * classes;
    int label = labels[blockIdx.x];
    float mine = row[label];
    const float4 *quads = reinterpret_cast<const float4 *>(row);
    int count = 0;
    for (int q = threadIdx.x; q < classes / 4; q += blockDim.x) {
        float4 s = quads[q];
        int c = 4 * q;
        count += s.x > mine || (s.x == mine && c < label);
        count += s.y > mine || (s.y == mine && c + 1 < label);
        count += s.z > mine || (s.z == mine && c + 2 < label);
        count += s.w > mine || (s.w == mine && c + 3 < label);
    }
    count = __reduce_add_sync(0xffffffffu, count);
    if ((threadIdx.x & 31) == 0) warp_counts[threadIdx.x >> 5] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
        int rank = warp_counts[0] + warp_counts[1] + warp_counts[2] + warp_counts[3];
        ranks[blockIdx.x] = rank;
        reciprocal[blockIdx.x] = 1.0f / (rank + 1);
    }
}

// launch pauli_expectation: --kernel pauli_expectation --grid 528 --block 256 --arg f32[8388608]=-0.001..0.001 --arg u32:1049610 --arg u32:2113672 --arg f64[1056] --arg u32:4194304
// Quantum simulation: <psi|P|psi> for a string of X, Y and Z over 22 qubits; threads stride over amplitudes, pair each
// with its flipped partner under a sign, and blocks leave complex partial sums.
__global__ void pauli_expectation(const float2 *__restrict__ amplitudes, unsigned flips, unsigned signs,
                                  double2 *__restrict__ partials, unsigned count)
{
    __shared__ double2 warp_sums[8];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    double re = 0.0, im = 0.0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        float2 a = amplitudes[i];
        float2 b = amplitudes[i ^ flips];
        float r = b.x * a.x + b.y * a.y;
        float m = b.x * a.y - b.y * a.x;
        if (__popc(i & signs) & 1) {
            r = -r;
            m = -m;
        }
        re += r;
        im += m;
    }
    for (int off = warp.size() / 2; off > 0; off /= 2) {
        re += warp.shfl_down(re, off);
        im += warp.shfl_down(im, off);
    }
    if (warp.thread_rank() == 0) warp_sums[threadIdx.x / 32] = make_double2(re, im);
    block.sync();
    if (threadIdx.x == 0) {
        double2 total = warp_sums[0];
        for (int w = 1; w < 8; ++w) {
            total.x += warp_sums[w].x;
            total.y += warp_sums[w].y;
        }
        partials[blockIdx.x] = total;
    }
}

// launch site_log_likelihood: --kernel site_log_likelihood --grid 2048 --block 256 --arg f32[8388608]=0.001..1 --arg f32[4]=0.2..0.3 --arg f32[4]=0.2..0.3 --arg i32[524288]=0..2 --arg i32[524288]=1..20 --arg f32[524288] --arg f64[2048] --arg i32:524288
// Phylogenetics: log likelihood at the root of a tree; a thread per site pattern mixes four rate classes of four bases,
// takes the logarithm with its scaling steps, and the block sums by pattern weight in double.
__global__ void site_log_likelihood(const float4 *__restrict__ partials, const float *__restrict__ frequencies,
                                    const float *__restrict__ class_weights, const int *__restrict__ scalings,
                                    const int *__restrict__ pattern_weights, float *__restrict__ site_values,
                                    double *__restrict__ block_sums, int sites)
{
    __shared__ double sums[256];
    int site = blockIdx.x * blockDim.x + threadIdx.x;
    double mine = 0.0;
    if (site < sites) {
        float likelihood = 0.0f;
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            float4 p = partials[(size_t)c * sites + site];
            float s = frequencies[0] * p.x + frequencies[1] * p.y + frequencies[2] * p.z + frequencies[3] * p.w;
            likelihood += class_weights[c] * s;
        }
        float value = logf(likelihood) - 44.361419f * scalings[site];
        site_values[site] = value;
        mine = (double)value * pattern_weights[site];
    }
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) block_sums[blockIdx.x] = sums[0];
}

// launch discounted_revenue: --kernel discounted_revenue --grid 660 --block 256 --arg i32[4194304]=8000..10500 --arg i8[4194304]=0..10 --arg i8[4194304]=1..50 --arg i64[4194304]=90000..10000000 --arg i64[660] --arg i32[660] --arg i32:8766 --arg i32:9131 --arg i32:1048576
// Databases: the sum of price times discount over rows with a ship date in a year, a discount of 5 to 7 percent and a
// quantity below 24; four rows a thread and step, prices read only where a row passes, a sum and a count per block.
__global__ void discounted_revenue(const int4 *__restrict__ ship_date, const char4 *__restrict__ discount,
                                   const char4 *__restrict__ quantity, const long long *__restrict__ price,
                                   long long *__restrict__ revenue, int *__restrict__ passed, int from_day, int to_day,
                                   int quads)
{
    __shared__ long long warp_revenue[8];
    __shared__ int warp_passed[8];
    long long sum = 0;
    int rows = 0;
    for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += gridDim.x * blockDim.x) {
        int4 day = ship_date[q];
        char4 off = discount[q];
        char4 many = quantity[q];
        int days[4] = {day.x, day.y, day.z, day.w};
        int offs[4] = {off.x, off.y, off.z, off.w};
        int manys[4] = {many.x, many.y, many.z, many.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (days[k] >= from_day && days[k] < to_day && offs[k] >= 5 && offs[k] <= 7 && manys[k] < 24) {
                sum += price[4 * (size_t)q + k] * offs[k];
                ++rows;
            }
        }
    }
    for (int d = 16; d > 0; d >>= 1) {
        sum += __shfl_down_sync(0xffffffffu, sum, d);
        rows += __shfl_down_sync(0xffffffffu, rows, d);
    }
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) {
        warp_revenue[warp] = sum;
        warp_passed[warp] = rows;
    }
    __syncthreads();
    if (warp == 0) {
        sum = lane < 8 ? warp_revenue[lane] : 0;
        rows = lane < 8 ? warp_passed[lane] : 0;
        for (int d = 4; d > 0; d >>= 1) {
            sum += __shfl_down_sync(0xffffffffu, sum, d);
            rows += __shfl_down_sync(0xffffffffu, rows, d);
        }
        if (lane == 0) {
            revenue[blockIdx.x] = sum;
            passed[blockIdx.x] = rows;
        }
    }
}
