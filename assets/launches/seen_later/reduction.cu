// Reductions: checksums of chunks, the nearest of many bit strings, a middle axis, and running variances.

// launch adler_chunks: --kernel adler_chunks --grid 1024 --block 1024 --arg u8[67108864]=0..255 --arg u32[1024]
// Adler's checksum of chunks of 64 KiB: the sum of the bytes, and their sum weighted by how many follow.
// Four bytes a product of small vectors, sixteen a load.
__global__ void __launch_bounds__(1024) adler_chunks(const uint4* __restrict__ data, unsigned* __restrict__ sums) {
    __shared__ unsigned held[2][32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned plain = 0, weighted = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int at = k * 1024 + t;
        uint4 v = data[blockIdx.x * 4096 + at];
        unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            unsigned sum = __dp4a(words[j], 0x01010101u, 0u);
            plain += sum;
            weighted += sum * (65536 - at * 16 - j * 4) - __dp4a(words[j], 0x03020100u, 0u);
        }
    }
    weighted %= 65521;
    plain = __reduce_add_sync(~0u, plain), weighted = __reduce_add_sync(~0u, weighted);
    if (lane == 0) held[0][warp] = plain, held[1][warp] = weighted;
    __syncthreads();
    if (warp != 0) return;
    plain = __reduce_add_sync(~0u, held[0][lane]), weighted = __reduce_add_sync(~0u, held[1][lane]);
    if (lane == 0) sums[blockIdx.x] = (weighted + 65536) % 65521 << 16 | (plain + 1) % 65521;
}

// launch hamming_nearest: --kernel hamming_nearest --grid 64,4 --block 128 --arg u8[262144]=0..255 --arg u8[131072]=0..255 --arg u32[32768] --arg i32:1024
// Features of a picture as strings of 256 bits: each of 8,192 finds the nearest of 4,096 others by counting bits.
// The others pass through shared memory, a quarter of them a block.
__global__ void hamming_nearest(const uint4* __restrict__ mine, const uint4* __restrict__ others,
                                unsigned* __restrict__ best, int each) {
    __shared__ uint4 held[128][2];
    int t = threadIdx.x, i = blockIdx.x * 128 + t, first = blockIdx.y * each;
    uint4 a = mine[2 * i], b = mine[2 * i + 1];
    unsigned least = ~0u;
    for (int begin = first; begin < first + each; begin += 128) {
        __syncthreads();
        held[t / 2][t % 2] = others[begin * 2 + t];
        held[64 + t / 2][t % 2] = others[begin * 2 + 128 + t];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 128; ++k) {
            uint4 c = held[k][0], d = held[k][1];
            unsigned distance = __popc(a.x ^ c.x) + __popc(a.y ^ c.y) + __popc(a.z ^ c.z) + __popc(a.w ^ c.w) +
                                __popc(b.x ^ d.x) + __popc(b.y ^ d.y) + __popc(b.z ^ d.z) + __popc(b.w ^ d.w);
            least = min(least, distance << 16 | (begin + k));
        }
    }
    best[blockIdx.y * gridDim.x * 128 + i] = least;
}

// launch sum_middle_axis: --kernel sum_middle_axis --grid 192 --block 128,4 --arg f32[15728640]=-1..1 --arg f32[98304] --arg i32:160
// The middle axis of a tensor of 192 x 160 x 512 is summed away: four numbers a thread, four groups of rows a block.
__global__ void sum_middle_axis(const float4* __restrict__ in, float4* __restrict__ out, int middle) {
    __shared__ float4 held[3][128];
    int tx = threadIdx.x, ty = threadIdx.y;
    const float4* from = in + blockIdx.x * middle * 128 + tx;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
    for (int row = ty; row < middle; row += 4) {
        float4 v = from[row * 128];
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    if (ty > 0) held[ty - 1][tx] = sum;
    __syncthreads();
    if (ty > 0) return;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        float4 v = held[k][tx];
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    out[blockIdx.x * 128 + tx] = sum;
}

// launch running_variances: --kernel running_variances --grid 6000 --block 192 --arg f32[9216000]=-2..3 --arg f32[12000] --arg i32:1536
// Mean and variance of each of 6,000 sensors by Welford's method, which divides at each value.
// The partial results of threads are merged two by two, in the warp and in shared memory.
__global__ void running_variances(const float* __restrict__ in, float2* __restrict__ out, int samples) {
    __shared__ float counts[6], means[6], spreads[6];
    int t = threadIdx.x;
    float count = 0, mean = 0, spread = 0;
    for (int i = t; i < samples; i += blockDim.x) {
        float x = in[blockIdx.x * samples + i], apart = x - mean;
        count += 1;
        mean += apart / count;
        spread += apart * (x - mean);
    }
    for (int step = 16; step > 0; step /= 2) {
        float other_count = __shfl_down_sync(~0u, count, step), other_mean = __shfl_down_sync(~0u, mean, step);
        float other_spread = __shfl_down_sync(~0u, spread, step), apart = other_mean - mean;
        float all = fmaxf(count + other_count, 1.0f);
        mean += apart * other_count / all;
        spread += other_spread + apart * apart * count * other_count / all;
        count += other_count;
    }
    if (t % 32 == 0) counts[t / 32] = count, means[t / 32] = mean, spreads[t / 32] = spread;
    __syncthreads();
    if (t != 0) return;
    for (int w = 1; w < 6; ++w) {
        float apart = means[w] - mean, all = count + counts[w];
        mean += apart * counts[w] / all;
        spread += spreads[w] + apart * apart * count * counts[w] / all;
        count = all;
    }
    out[blockIdx.x] = make_float2(mean, spread / (count - 1));
}
