// Scans: running maxima, unwrapped phases, runs of equal bytes, and a chain of small matrices.

// launch running_maxima: --kernel running_maxima --grid 1500 --block 256 --arg f32[12288000]=-100..100 --arg f32[12288000] --arg i32:8192
// The running maximum of each row; a block has a row of 8,192 and carries the maximum from chunk to chunk.
__global__ void running_maxima(const float* __restrict__ in, float* __restrict__ out, int length) {
    __shared__ float of_warps[2][8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, turn = 0;
    const float4* from = (const float4*)(in + (size_t)blockIdx.x * length);
    float4* to = (float4*)(out + (size_t)blockIdx.x * length);
    float carry = -1e30f;
    for (int i = t; i < length / 4; i += 256, turn ^= 1) {
        float4 v = from[i];
        v.y = fmaxf(v.x, v.y), v.z = fmaxf(v.y, v.z), v.w = fmaxf(v.z, v.w);
        float high = v.w;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            float left = __shfl_up_sync(~0u, high, step);
            if (lane >= step) high = fmaxf(high, left);
        }
        if (lane == 31) of_warps[turn][warp] = high;
        float before = __shfl_up_sync(~0u, high, 1);
        before = lane == 0 ? carry : fmaxf(before, carry);
        __syncthreads();
#pragma unroll
        for (int w = 0; w < 8; ++w) {
            float its = of_warps[turn][w];
            if (w < warp) before = fmaxf(before, its);
            carry = fmaxf(carry, its);
        }
        to[i] = make_float4(fmaxf(v.x, before), fmaxf(v.y, before), fmaxf(v.z, before), fmaxf(v.w, before));
    }
}

// launch unwrap_phases: --kernel unwrap_phases --grid 2600 --block 1024 --arg f32[10649600]=-3.1..3.1 --arg f32[10649600]
// Radar interferometry: each jump by more than half a turn adds or takes a whole turn from there on.
// A block of 1,024 threads has a line of 4,096 phases.
__global__ void __launch_bounds__(1024) unwrap_phases(const float4* __restrict__ in, float4* __restrict__ out) {
    __shared__ float lasts[32];
    __shared__ int turns[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float4 v = in[(size_t)blockIdx.x * 1024 + t];
    if (lane == 31) lasts[warp] = v.w;
    float left = __shfl_up_sync(~0u, v.w, 1);
    __syncthreads();
    if (lane == 0) left = warp == 0 ? v.x : lasts[warp - 1];
    const float turn = 6.2831853f, inverse = 0.15915494f;
    int a = -__float2int_rn((v.x - left) * inverse), b = a - __float2int_rn((v.y - v.x) * inverse),
        c = b - __float2int_rn((v.z - v.y) * inverse), d = c - __float2int_rn((v.w - v.z) * inverse), sum = d;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        int more = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += more;
    }
    if (lane == 31) turns[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int all = turns[lane];
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            int more = __shfl_up_sync(~0u, all, step);
            if (lane >= step) all += more;
        }
        turns[lane] = all;
    }
    __syncthreads();
    int base = sum - d + (warp > 0 ? turns[warp - 1] : 0);
    out[(size_t)blockIdx.x * 1024 + t] =
        make_float4(v.x + turn * (base + a), v.y + turn * (base + b), v.z + turn * (base + c), v.w + turn * (base + d));
}

// launch runs_of_bytes: --kernel runs_of_bytes --grid 2500 --block 256 --arg u8[10240000]=0..2 --arg u32[10240000] --arg u32[2500]
// Run-length coding: where runs of equal bytes begin, sixteen bytes a thread, 4,096 a block.
// Starts and values go out packed, one after another without gaps.
__global__ void runs_of_bytes(const uint4* __restrict__ in, unsigned* __restrict__ starts, unsigned* __restrict__ counts) {
    __shared__ unsigned of_warps[8], lasts[256];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    uint4 bytes = in[blockIdx.x * 256 + t];
    unsigned words[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
    lasts[t] = bytes.w >> 24;
    __syncthreads();
    unsigned previous = t == 0 ? 256 : lasts[t - 1], heads = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        unsigned value = words[k / 4] >> k % 4 * 8 & 255;
        if (value != previous) heads |= 1u << k;
        previous = value;
    }
    unsigned mine = __popc(heads), sum = mine;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        unsigned left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    unsigned at = sum - mine;
    for (int w = 0; w < warp; ++w) at += of_warps[w];
    if (t == 255) counts[blockIdx.x] = at + mine;
    unsigned* to = starts + blockIdx.x * 4096;
#pragma unroll
    for (int k = 0; k < 16; ++k)
        if (heads >> k & 1) to[at++] = (unsigned)(t * 16 + k) << 8 | (words[k / 4] >> k % 4 * 8 & 255);
}

__device__ __forceinline__ float4 times(float4 a, float4 b) {
    return make_float4(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z, a.z * b.y + a.w * b.w);
}

// launch matrix_chain: --kernel matrix_chain --grid 7000 --block 192 --arg f32[5376000]=-0.7..0.7 --arg f32[5376000]
// Optics: the product of all layers so far, each a matrix of 2 x 2; a block has a stack of 192.
__global__ void matrix_chain(const float4* __restrict__ layers, float4* __restrict__ out) {
    __shared__ float4 of_warps[6];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 192 + t;
    float4 m = layers[i];
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        float4 left;
        left.x = __shfl_up_sync(~0u, m.x, step);
        left.y = __shfl_up_sync(~0u, m.y, step);
        left.z = __shfl_up_sync(~0u, m.z, step);
        left.w = __shfl_up_sync(~0u, m.w, step);
        if (lane >= step) m = times(left, m);
    }
    if (lane == 31) of_warps[warp] = m;
    __syncthreads();
    for (int w = warp - 1; w >= 0; --w) m = times(of_warps[w], m);
    out[i] = m;
}
