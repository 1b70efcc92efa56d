// Sparse and gathered: addresses come from memory. Sectors are used in part, and chains are two loads long.

// launch rows_by_threads: --kernel rows_by_threads --grid 1024 --block 256 --arg i32[262145]=0+16 --arg u32[4194304] --arg f32[4194304]=0..1 --arg f32[1048576]=0..1 --arg f32[262144] --arg u32:1048575
__global__ void rows_by_threads(const int* begins, const unsigned* columns, const float* values, const float* x,
                                float* y, unsigned mask) {
    int row = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = begins[row]; k < begins[row + 1]; ++k) sum += values[k] * x[columns[k] & mask];
    y[row] = sum;
}

// launch rows_by_warps: --kernel rows_by_warps --grid 8192 --block 256 --arg i32[65537]=0+128 --arg u32[8388608] --arg f32[8388608]=0..1 --arg f32[262144]=0..1 --arg f32[65536] --arg u32:262143
__global__ void rows_by_warps(const int* begins, const unsigned* columns, const float* values, const float* x,
                              float* y, unsigned mask) {
    int row = (blockIdx.x * 256 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = begins[row] + lane; k < begins[row + 1]; k += 32) sum += values[k] * x[columns[k] & mask];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}

// launch padded_rows: --kernel padded_rows --grid 2048 --block 256 --arg u32[8388608] --arg f32[8388608]=0..1 --arg f32[524288]=0..1 --arg f32[524288] --arg u32:524287
// Sixteen entries a row, stored column by column, so that the lanes lie beside each other.
__global__ void padded_rows(const unsigned* columns, const float* values, const float* x, float* y, unsigned mask) {
    int row = blockIdx.x * 256 + threadIdx.x, rows = gridDim.x * 256;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < 16; ++k) sum += values[k * rows + row] * x[columns[k * rows + row] & mask];
    y[row] = sum;
}

// launch gather_far: --kernel gather --grid 8192 --block 256 --arg u32[2097152] --arg f32[67108864] --arg f32[2097152] --arg u32:67108863
// launch gather_near: --kernel gather --grid 32768 --block 256 --arg u32[8388608] --arg f32[1048576] --arg f32[8388608] --arg u32:1048575
// launch gather_nearest: --kernel gather --grid 32768 --block 256 --arg u32[8388608] --arg f32[8192] --arg f32[8388608] --arg u32:8191
__global__ void gather(const unsigned* places, const float* table, float* out, unsigned mask) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = table[(places[i] * 2654435761u >> 5) & mask];
}

// launch scatter_far: --kernel scatter --grid 8192 --block 256 --arg u32[2097152] --arg f32[2097152] --arg f32[67108864] --arg u32:67108863
__global__ void scatter(const unsigned* places, const float* in, float* out, unsigned mask) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[(places[i] * 2654435761u >> 5) & mask] = in[i];
}

// launch embedding_rows: --kernel embedding_rows --grid 32768 --block 128 --arg u32[32768] --arg f32[33554432] --arg f32[16777216] --arg u32:65535
// Rows of 2 KiB: the choice is at random, the reading in order.
__global__ void embedding_rows(const unsigned* words, const float4* table, float4* out, unsigned mask) {
    unsigned word = (words[blockIdx.x] * 2654435761u >> 7) & mask;
    out[blockIdx.x * 128 + threadIdx.x] = table[word * 128 + threadIdx.x];
}

// launch edges: --kernel edges --grid 8192 --block 256 --arg u32[2097152] --arg u32[2097152] --arg f32[1048576]=0..1 --arg f32[1048576]=0 --arg u32:1048575
// Along each edge of a graph the value of one end is added at the other.
__global__ void edges(const unsigned* from, const unsigned* to, const float* values, float* sums, unsigned mask) {
    int i = blockIdx.x * 256 + threadIdx.x;
    atomicAdd(&sums[(to[i] * 2654435761u >> 9) & mask], values[(from[i] * 2246822519u >> 9) & mask]);
}
