// Reductions: much is read, little is written; barriers, shuffles and the last steps cost beside the loads.

// launch tree_shared: --kernel tree_shared --grid 65536 --block 256 --arg f32[16777216]=0..1 --arg f32[65536]
__global__ void tree_shared(const float* in, float* sums) {
    __shared__ float held[256];
    held[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = held[0];
}

__device__ float sum_of_warp(float sum) {
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    return sum;
}
__device__ float sum_of_block(float sum) {
    __shared__ float held[32];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) held[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < blockDim.x / 32 ? held[threadIdx.x] : 0;
    return threadIdx.x < 32 ? sum_of_warp(sum) : 0;
}

// launch grid_stride_vectors: --kernel grid_stride_vectors --grid 1056 --block 256 --arg f32[33554432]=0..1 --arg f32[1]=0 --arg i32:8388608
__global__ void grid_stride_vectors(const float4* in, float* total, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) atomicAdd(total, sum);
}

// launch row_maximum: --kernel row_maximum --grid 8192 --block 256 --arg f32[16777216]=-1..1 --arg f32[8192] --arg i32:2048
__global__ void row_maximum(const float* in, float* most, int cols) {
    __shared__ float held[8];
    float found = -3e38f;
    for (int col = threadIdx.x; col < cols; col += 256) found = fmaxf(found, in[blockIdx.x * cols + col]);
    for (int step = 16; step > 0; step /= 2) found = fmaxf(found, __shfl_xor_sync(~0u, found, step));
    if (threadIdx.x % 32 == 0) held[threadIdx.x / 32] = found;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < 8; ++warp) found = fmaxf(found, held[warp]);
        most[blockIdx.x] = found;
    }
}

// launch column_sums: --kernel column_sums --grid 32,64 --block 128 --arg f32[16777216]=0..1 --arg f32[4096]=0 --arg i32:64 --arg i32:4096
__global__ void column_sums(const float* in, float* sums, int rows, int cols) {
    int col = blockIdx.x * 128 + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += in[(blockIdx.y * rows + row) * cols + col];
    atomicAdd(&sums[col], sum);
}

// launch dot_double: --kernel dot_double --grid 528 --block 512 --arg f64[8388608]=0..1 --arg f64[8388608]=0..1 --arg f64[528] --arg i32:8388608
__global__ void dot_double(const double* a, const double* b, double* sums, int n) {
    __shared__ double held[512];
    double sum = 0;
    for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) sum += a[i] * b[i];
    held[threadIdx.x] = sum;
    for (int half = 256; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = held[0];
}

// launch largest_and_where: --kernel largest_and_where --grid 4096 --block 1024 --arg u32[16777216] --arg u64[4096] --arg i32:4
__global__ void largest_and_where(const unsigned* in, unsigned long long* found, int each) {
    __shared__ unsigned long long held[1024];
    unsigned long long best = 0;
    for (int k = 0; k < each; ++k) {
        unsigned i = (blockIdx.x * each + k) * 1024 + threadIdx.x;
        best = max(best, (unsigned long long)in[i] << 32 | i);
    }
    held[threadIdx.x] = best;
    for (int half = 512; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) held[threadIdx.x] = max(held[threadIdx.x], held[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) found[blockIdx.x] = held[0];
}

// launch interleaved: --kernel interleaved --grid 32768 --block 256 --arg u32[8388608] --arg u32[32768]
// The first thread of every pair, of every four, and so on: divergence and conflicts.
__global__ void interleaved(const unsigned* in, unsigned* sums) {
    __shared__ unsigned held[256];
    held[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        unsigned at = 2 * step * threadIdx.x;
        if (at < 256) held[at] += held[at + step];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = held[0];
}

// launch warp_per_row: --kernel warp_per_row --grid 16384 --block 128 --arg f32[8388608]=0..1 --arg f32[65536]
__global__ void warp_per_row(const float* in, float* sums) {
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += in[row * 128 + 32 * k + lane];
    sum = sum_of_warp(sum);
    if (lane == 0) sums[row] = sum;
}
