// Scans: in segments, of bytes, down the columns of a tensor, and of a recurrence.

// launch segmented_scan: --kernel segmented_scan --grid 32768 --block 256 --arg f32[8388608]=0..1 --arg u8[8388608]=0..255 --arg f32[8388608]
// A flag begins a new segment; sums go on from warp to warp of a block where no flag lies between.
__global__ void segmented_scan(const float* __restrict__ in, const unsigned char* __restrict__ flags, float* out) {
    __shared__ float sums[8];
    __shared__ bool cut[8];
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float x = in[i];
    unsigned heads = __ballot_sync(~0u, flags[i] < 12);
    unsigned before = heads & (~0u >> (31 - lane));
    int first = before != 0 ? 31 - __clz(before) : 0;
    for (int step = 1; step < 32; step *= 2) {
        float left = __shfl_up_sync(~0u, x, step);
        if (lane - step >= first) x += left;
    }
    if (lane == 31) sums[warp] = x, cut[warp] = heads != 0;
    __syncthreads();
    if (before == 0)
        for (int w = warp - 1; w >= 0; --w) {
            x += sums[w];
            if (cut[w]) break;
        }
    out[i] = x;
}

// launch lengths_to_offsets: --kernel lengths_to_offsets --grid 4096 --block 256 --arg u8[16777216]=0..255 --arg u32[16777216] --arg u32[4096]
// Sixteen bytes a thread, one after another; the results are turned in shared memory on their way out.
__global__ void lengths_to_offsets(const unsigned char* __restrict__ in, unsigned* __restrict__ out,
                                   unsigned* of_blocks) {
    __shared__ unsigned held[256 * 17], of_warps[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    uint4 bytes = ((const uint4*)in)[blockIdx.x * 256 + t];
    unsigned words[4] = {bytes.x, bytes.y, bytes.z, bytes.w}, sum = 0, mine[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        mine[k] = sum;
        sum += words[k / 4] >> k % 4 * 8 & 255;
    }
    unsigned up_to = sum;
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, up_to, step);
        if (lane >= step) up_to += left;
    }
    if (lane == 31) of_warps[warp] = up_to;
    __syncthreads();
    unsigned base = up_to - sum;
    for (int w = 0; w < warp; ++w) base += of_warps[w];
#pragma unroll
    for (int k = 0; k < 16; ++k) held[t * 17 + k] = base + mine[k];
    if (t == 255) of_blocks[blockIdx.x] = base + sum;
    __syncthreads();
    for (int i = t; i < 4096; i += 256) out[blockIdx.x * 4096 + i] = held[i / 16 * 17 + i % 16];
}

// launch cumulative_columns: --kernel cumulative_columns --grid 8,32 --block 256 --arg f32[33554432]=0..1 --arg f32[33554432] --arg i32:512 --arg i32:2048
// Along the middle of three dimensions: a thread has a column, and goes down its 512 rows.
__global__ void cumulative_columns(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
    int at = blockIdx.y * rows * cols + blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int row = 0; row < rows; ++row, at += cols) {
        sum += in[at];
        out[at] = sum;
    }
}

// launch selective_scan: --kernel selective_scan --grid 4096 --block 128 --arg f32[8388608]=0..1 --arg f32[8388608]=-1..1 --arg f32[4096]=-2..-1 --arg f32[8388608] --arg i32:2048
// State space: h = exp(a * dt) * h + dt * x along each row. Pairs of factor and sum are scanned, 512 at a time.
__global__ void selective_scan(const float4* __restrict__ times, const float4* __restrict__ in,
                               const float* __restrict__ rates, float4* __restrict__ out, int length) {
    __shared__ float2 of_warps[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float rate = rates[blockIdx.x], state = 0;
    for (int begin = 0; begin < length / 4; begin += 128) {
        int at = blockIdx.x * (length / 4) + begin + t;
        float4 dt = times[at], x = in[at];
        float factors[4] = {__expf(rate * dt.x), __expf(rate * dt.y), __expf(rate * dt.z), __expf(rate * dt.w)};
        float terms[4] = {dt.x * x.x, dt.y * x.y, dt.z * x.z, dt.w * x.w};
        float factor = 1, sum = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            sum = sum * factors[k] + terms[k];
            factor *= factors[k];
        }
        for (int step = 1; step < 32; step *= 2) {
            float left_factor = __shfl_up_sync(~0u, factor, step), left_sum = __shfl_up_sync(~0u, sum, step);
            if (lane >= step) sum += factor * left_sum, factor *= left_factor;
        }
        if (lane == 31) of_warps[warp] = make_float2(factor, sum);
        float before_factor = __shfl_up_sync(~0u, factor, 1), before_sum = __shfl_up_sync(~0u, sum, 1);
        if (lane == 0) before_factor = 1, before_sum = 0;
        __syncthreads();
        float mine = state;
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            if (w == warp) mine = state;
            state = state * of_warps[w].x + of_warps[w].y;
        }
        mine = mine * before_factor + before_sum;
        float4 result;
        result.x = mine = mine * factors[0] + terms[0];
        result.y = mine = mine * factors[1] + terms[1];
        result.z = mine = mine * factors[2] + terms[2];
        result.w = mine = mine * factors[3] + terms[3];
        out[at] = result;
        __syncthreads();
    }
}
