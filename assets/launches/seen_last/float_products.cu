// Products in floats and doubles: with a narrow matrix, of a matrix with itself, a triangular solve, and by a vector.

// launch tall_by_narrow: --kernel tall_by_narrow --grid 1024 --block 128 --arg f32[16777216]=-1..1 --arg f32[2048]=-1..1 --arg f32[2097152]
// A matrix of 131,072 x 128 times one of 128 x 16, as block eigensolvers need it.
// Rows come through shared memory, 32 columns at a time; a thread has one row of the result.
__global__ void __launch_bounds__(128) tall_by_narrow(const float* __restrict__ A, const float* __restrict__ B,
                                                      float* __restrict__ C) {
    __shared__ float a[128][33];
    __shared__ __align__(16) float b[128 * 16];
    int t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * 128;
    for (int i = t; i < 512; i += 128) ((float4*)b)[i] = ((const float4*)B)[i];
    float sums[16] = {};
    for (int k = 0; k < 128; k += 32) {
        __syncthreads();
#pragma unroll 8
        for (int i = t / 32; i < 128; i += 4) a[i][t % 32] = A[(first + i) * 128 + k + t % 32];
        __syncthreads();
#pragma unroll 8
        for (int step = 0; step < 32; ++step) {
            float x = a[t][step];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                float4 w = *(const float4*)&b[(k + step) * 16 + j * 4];
                sums[j * 4] += x * w.x;
                sums[j * 4 + 1] += x * w.y;
                sums[j * 4 + 2] += x * w.z;
                sums[j * 4 + 3] += x * w.w;
            }
        }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j)
        *(float4*)&C[(first + t) * 16 + j * 4] =
            make_float4(sums[j * 4], sums[j * 4 + 1], sums[j * 4 + 2], sums[j * 4 + 3]);
}

// launch lower_rank_update: --kernel lower_rank_update --grid 300 --block 256 --arg f32[589824]=-1..1 --arg f32[2359296] --arg i32:1536 --arg i32:384
// A symmetric update of rank k: A times its own transpose, only the tiles on and under the diagonal.
// A tile is 64 x 64, and a thread has 4 x 4 of it.
__global__ void __launch_bounds__(256) lower_rank_update(const float* __restrict__ A, float* __restrict__ C, int n, int k) {
    __shared__ __align__(16) float left[16][68], right[16][68];
    int tile = blockIdx.x, down = 0;
    while (tile > down) tile -= ++down;
    int row = down * 64, col = tile * 64, t = threadIdx.x, y = t / 16 * 4, x = t % 16 * 4;
    float sums[4][4] = {};
    for (int at = 0; at < k; at += 16) {
        float4 a = *(const float4*)&A[(row + t / 4) * k + at + t % 4 * 4];
        float4 b = *(const float4*)&A[(col + t / 4) * k + at + t % 4 * 4];
        __syncthreads();
        int c = t % 4 * 4, r = t / 4;
        left[c][r] = a.x, left[c + 1][r] = a.y, left[c + 2][r] = a.z, left[c + 3][r] = a.w;
        right[c][r] = b.x, right[c + 1][r] = b.y, right[c + 2][r] = b.z, right[c + 3][r] = b.w;
        __syncthreads();
#pragma unroll
        for (int step = 0; step < 16; ++step) {
            float4 p = *(const float4*)&left[step][y], q = *(const float4*)&right[step][x];
            float ps[4] = {p.x, p.y, p.z, p.w}, qs[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[i][j] += ps[i] * qs[j];
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (row + y + i >= col + x + j) C[(row + y + i) * n + col + x + j] = sums[i][j];
}

// launch triangular_batch: --kernel triangular_batch --grid 32,48 --block 128 --arg f32[49152]=-0.2..0.2 --arg f32[6291456]=-1..1 --arg f32[6291456] --arg i32:4096
// Forward substitution with 48 lower triangles of 32 x 32, each for 4,096 right-hand sides.
// A thread has one right-hand side in registers; the triangle is in shared memory.
__global__ void __launch_bounds__(128) triangular_batch(const float* __restrict__ triangles, const float* __restrict__ in,
                                                        float* __restrict__ out, int columns) {
    __shared__ float l[32][32];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) l[i / 32][i % 32] = triangles[blockIdx.y * 1024 + i];
    size_t at = (size_t)blockIdx.y * 32 * columns + blockIdx.x * 128 + t;
    float x[32];
#pragma unroll
    for (int k = 0; k < 32; ++k) x[k] = in[at + (size_t)k * columns];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k)
#pragma unroll
        for (int i = k + 1; i < 32; ++i) x[i] -= l[i][k] * x[k];
#pragma unroll
    for (int k = 0; k < 32; ++k) out[at + (size_t)k * columns] = x[k];
}

// launch double_rows_by_vector: --kernel double_rows_by_vector --grid 640 --block 128 --arg f64[7864320]=-1..1 --arg f64[3072]=-1..1 --arg f64[2560] --arg f64:0.75 --arg f64:0.5 --arg i32:3072
// A matrix of doubles by a vector, with alpha and beta as the BLAS have it; a warp has a row.
__global__ void double_rows_by_vector(const double* __restrict__ A, const double* __restrict__ x, double* y, double alpha,
                                      double beta, int n) {
    int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const double2* mine = (const double2*)(A + (size_t)row * n);
    double sum = 0, more = 0;
#pragma unroll 4
    for (int k = lane; k < n / 2; k += 32) {
        double2 a = mine[k], b = ((const double2*)x)[k];
        sum += a.x * b.x;
        more += a.y * b.y;
    }
    sum += more;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) y[row] = alpha * sum + beta * y[row];
}
