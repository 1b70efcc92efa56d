// Sparse and gathered: graphs and matrices whose neighbours are looked up, with rows of different lengths.
#include <cuda_fp16.h>

// launch bfs_expand: --kernel bfs_expand --grid 2048 --block 512 --arg i32[1048576]=0+16 --arg u8[1048576]=0..16 --arg u32[16777216]=0..1048575 --arg u8[1048576]=0..3 --arg u8[1048576]=0..1 --arg i32[1048576]=0 --arg i32:1048576
// A step of a breadth-first search: each node of the frontier reaches for its neighbours that are not visited yet.
__global__ void bfs_expand(const int* __restrict__ begins, const unsigned char* __restrict__ degrees,
                           const unsigned* __restrict__ edges, const unsigned char* __restrict__ frontier,
                           const unsigned char* __restrict__ visited, int* reached, int nodes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nodes || frontier[i] != 0) return;
    int begin = begins[i], end = begin + min((int)degrees[i], 16);
    for (int k = begin; k < end; ++k) {
        unsigned node = edges[k];
        if (visited[node] == 0) atomicMax(&reached[node], i);
    }
}

// launch graph_convolution: --kernel graph_convolution --grid 8192 --block 32,8 --arg i32[65536]=1..32 --arg u32[2097152]=0..131071 --arg f32[16777216]=-1..1 --arg f32[8388608]
// The mean of the neighbours' rows of 128 features: a warp a node, four features a lane.
__global__ void graph_convolution(const int* __restrict__ degrees, const unsigned* __restrict__ neighbours,
                                  const float4* __restrict__ features, float4* __restrict__ out) {
    int node = blockIdx.x * 8 + threadIdx.y, lane = threadIdx.x, degree = degrees[node];
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < degree; ++k) {
        float4 x = features[neighbours[node * 32 + k] * 32 + lane];
        sum.x += x.x;
        sum.y += x.y;
        sum.z += x.z;
        sum.w += x.w;
    }
    float factor = 1.0f / degree;
    out[node * 32 + lane] = make_float4(sum.x * factor, sum.y * factor, sum.z * factor, sum.w * factor);
}

// launch coordinates_double: --kernel coordinates_double --grid 16384 --block 256 --arg i32[4194304]=0+1 --arg u32[4194304]=0..524287 --arg f64[4194304]=-1..1 --arg f64[524288]=-1..1 --arg f64[599187]=0 --arg i32:7
// A matrix as a list of entries in the order of their rows, which are about as long as LENGTH: sums within a warp by
// row, and an atomic for each row of a warp.
__global__ void coordinates_double(const int* __restrict__ rows, const unsigned* __restrict__ columns,
                                   const double* __restrict__ values, const double* __restrict__ x, double* y,
                                   int length) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, row = rows[k] / length;
    double sum = values[k] * x[columns[k]];
    for (int step = 1; step < 32; step *= 2) {
        double left = __shfl_up_sync(~0u, sum, step);
        int of_left = __shfl_up_sync(~0u, row, step);
        if (lane >= step && of_left == row) sum += left;
    }
    int next = __shfl_down_sync(~0u, row, 1);
    if (lane == 31 || next != row) atomicAdd(&y[row], sum);
}

// launch edge_scores: --kernel edge_scores --grid 32768 --block 256 --arg u32[2097152]=0..131071 --arg f16[8388608]=-1..1 --arg f32[1048576] --arg i32:1048576
// The product of the rows at both ends of each edge: 64 halves, eight lanes an edge, sixteen bytes a lane. All first
// ends lie before all second ends.
__global__ void edge_scores(const unsigned* __restrict__ ends, const half* __restrict__ features,
                            float* __restrict__ scores, int edges) {
    int edge = (blockIdx.x * blockDim.x + threadIdx.x) / 8, part = threadIdx.x % 8;
    uint4 a = ((const uint4*)features)[ends[edge] * 8 + part];
    uint4 b = ((const uint4*)features)[ends[edges + edge] * 8 + part];
    const half2 *pairs_a = (const half2*)&a, *pairs_b = (const half2*)&b;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float2 p = __half22float2(pairs_a[k]), q = __half22float2(pairs_b[k]);
        sum += p.x * q.x + p.y * q.y;
    }
    for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (part == 0) scores[edge] = sum;
}
