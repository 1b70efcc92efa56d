// Reductions: a compensated sum, the difference of two images, logarithms of sums down columns, and autocorrelation.

// launch compensated_sum: --kernel compensated_sum --grid 396 --block 512 --arg f32[14680064]=-1..1 --arg f32[396] --arg i32:3670016
// Kahan's compensated sum, four a thread side by side; a block leaves one partial sum.
__global__ void compensated_sum(const float4* __restrict__ in, float* __restrict__ partial, int n) {
    __shared__ float held[16];
    float sum[4] = {}, lost[4] = {};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = in[i];
        float x[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            float y = x[k] - lost[k], next = sum[k] + y;
            lost[k] = (next - sum[k]) - y;
            sum[k] = next;
        }
    }
    float all = (sum[0] + sum[1]) + (sum[2] + sum[3]) - ((lost[0] + lost[1]) + (lost[2] + lost[3]));
    for (int step = 16; step > 0; step /= 2) all += __shfl_down_sync(~0u, all, step);
    if (threadIdx.x % 32 == 0) held[threadIdx.x / 32] = all;
    __syncthreads();
    if (threadIdx.x < 16) {
        all = held[threadIdx.x];
        for (int step = 8; step > 0; step /= 2) all += __shfl_down_sync(0xffffu, all, step);
        if (threadIdx.x == 0) partial[blockIdx.x] = all;
    }
}

// launch image_difference: --kernel image_difference --grid 660 --block 256 --arg u8[33177600]=0..255 --arg u8[33177600]=0..255 --arg u64[1] --arg i32:2073600
// The squared difference of two images of bytes, as for a peak signal-to-noise ratio.
// Products of four bytes at once; a block adds its sum to one word of 64 bits.
__global__ void image_difference(const uint4* __restrict__ first, const uint4* __restrict__ second,
                                 unsigned long long* total, int n) {
    __shared__ unsigned held[8];
    unsigned sum = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        uint4 a = first[i], b = second[i];
        unsigned p[4] = {a.x, a.y, a.z, a.w}, q[4] = {b.x, b.y, b.z, b.w}, mixed = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            sum = __dp4a(p[k], p[k], sum);
            sum = __dp4a(q[k], q[k], sum);
            mixed = __dp4a(p[k], q[k], mixed);
        }
        sum -= 2 * mixed;
    }
    sum = __reduce_add_sync(~0u, sum);
    if (threadIdx.x % 32 == 0) held[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long all = 0;
        for (int k = 0; k < 8; ++k) all += held[k];
        atomicAdd(total, all);
    }
}

// launch log_sum_columns: --kernel log_sum_columns --grid 60,8 --block 32,16 --arg f32[7864320]=-6..6 --arg f32[15360] --arg f32[15360] --arg i32:1920 --arg i32:512
// Hidden Markov models: logarithms of sums of exponentials, down the columns of a matrix.
// A thread keeps maximum and sum of every sixteenth row; sixteen of them meet in shared memory.
__global__ void log_sum_columns(const float* __restrict__ in, float* __restrict__ tops, float* __restrict__ logs, int cols,
                                int rows) {
    __shared__ float top_of[16][32], sum_of[16][32];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 32 + x;
    const float* from = in + (size_t)blockIdx.y * rows * cols + col;
    float top = -1e30f, sum = 0;
    for (int r = y; r < rows; r += 16) {
        float v = from[(size_t)r * cols], high = fmaxf(top, v);
        sum = sum * __expf(top - high) + __expf(v - high);
        top = high;
    }
    top_of[y][x] = top;
    sum_of[y][x] = sum;
    for (int half = 8; half > 0; half /= 2) {
        __syncthreads();
        if (y < half) {
            float a = top_of[y][x], b = top_of[y + half][x], high = fmaxf(a, b);
            sum_of[y][x] = sum_of[y][x] * __expf(a - high) + sum_of[y + half][x] * __expf(b - high);
            top_of[y][x] = high;
        }
    }
    if (y == 0) {
        tops[blockIdx.y * cols + col] = top_of[0][x];
        logs[blockIdx.y * cols + col] = top_of[0][x] + logf(sum_of[0][x]);
    }
}

// launch autocorrelation: --kernel autocorrelation --grid 1100 --block 256 --arg f32[2252832]=-1..1 --arg f32[32]
// Speech coding: a signal times itself at 32 lags; a block has 2,048 samples in shared memory.
// A warp has four lags, and adds its sums to the totals.
__global__ void autocorrelation(const float* __restrict__ signal, float* totals) {
    __shared__ float held[2048 + 32];
    int t = threadIdx.x, lane = t % 32, lag = t / 32 * 4;
    for (int i = t; i < 2048 + 32; i += 256) held[i] = signal[blockIdx.x * 2048 + i];
    __syncthreads();
    float sums[4] = {};
#pragma unroll 4
    for (int i = lane; i < 2048; i += 32) {
        float x = held[i];
#pragma unroll
        for (int k = 0; k < 4; ++k) sums[k] += x * held[i + lag + k];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        for (int step = 16; step > 0; step /= 2) sums[k] += __shfl_down_sync(~0u, sums[k], step);
        if (lane == 0) atomicAdd(&totals[lag + k], sums[k]);
    }
}
