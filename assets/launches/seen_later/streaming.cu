// Streaming: conditions on columns, doubles made narrow, numbers by chance, and a gate of a network.
#include <cuda_fp16.h>

// launch filter_columns_to_bits: --kernel filter_columns_to_bits --grid 87381 --block 96 --arg i32[8388576]=0..2555 --arg f32[8388576]=0..0.1 --arg i32[8388576]=1..50 --arg u32[262143] --arg i32:730 --arg i32:24
// A query of a database: three columns are compared with limits, and each warp writes its answers as one word of bits.
__global__ void filter_columns_to_bits(const int* __restrict__ days, const float* __restrict__ discounts,
                                       const int* __restrict__ quantities, unsigned* __restrict__ bits, int day,
                                       int most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int when = days[i];
    float discount = discounts[i];
    bool fits = when >= day && when < day + 365 && discount >= 0.05f && discount <= 0.07f && quantities[i] < most;
    unsigned word = __ballot_sync(~0u, fits);
    if (threadIdx.x % 32 == 0) bits[i / 32] = word;
}

// launch narrow_doubles: --kernel narrow_doubles --grid 1056 --block 128 --arg f64[8000000]=-100..100 --arg f32[8000000] --arg i32:4000000 --arg f64:64
// Doubles become floats and are held within limits: two at a time, the grid strides through them.
__global__ void narrow_doubles(const double2* __restrict__ in, float2* __restrict__ out, int n, double limit) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double2 v = in[i];
        double a = fmin(fmax(v.x, -limit), limit), b = fmin(fmax(v.y, -limit), limit);
        out[i] = make_float2((float)a, (float)b);
    }
}

// launch philox_normals: --kernel philox_normals --grid 792 --block 256 --arg f32[10000000] --arg i32:2500000 --arg u32:42 --arg u32:7
// Numbers of a normal distribution: Philox of ten rounds makes four words from a counter.
// Box and Muller make four normal numbers of them; nothing is read.
__global__ void philox_normals(float4* __restrict__ out, int n, unsigned key_low, unsigned key_high) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned x = i, y = 0, z = 0x5eed, w = 0, low = key_low, high = key_high;
#pragma unroll
        for (int round = 0; round < 10; ++round) {
            unsigned long long p = 0xD2511F53ull * x, q = 0xCD9E8D57ull * z;
            x = (unsigned)(q >> 32) ^ y ^ low;
            y = (unsigned)q;
            z = (unsigned)(p >> 32) ^ w ^ high;
            w = (unsigned)p;
            low += 0x9E3779B9u;
            high += 0xBB67AE85u;
        }
        float far = sqrtf(-2 * logf(((x >> 8) + 1) * 0x1p-24f)), away = sqrtf(-2 * logf(((z >> 8) + 1) * 0x1p-24f));
        float sine, cosine;
        sincospif((y >> 8) * 0x1p-23f, &sine, &cosine);
        float4 four;
        four.x = far * cosine, four.y = far * sine;
        sincospif((w >> 8) * 0x1p-23f, &sine, &cosine);
        four.z = away * cosine, four.w = away * sine;
        out[i] = four;
    }
}

// launch swiglu_gate: --kernel swiglu_gate --grid 11,2048 --block 64 --arg f16[23068672]=-3..3 --arg f16[11534336]
// The gate of a language model: the first half of each row goes through an activation, and scales the second half.
// Eight halves a thread, worked out in floats.
__global__ void swiglu_gate(const half* __restrict__ in, half* __restrict__ out) {
    int dim = gridDim.x * 64, x = blockIdx.x * 64 + threadIdx.x;
    const uint4* from = (const uint4*)in + blockIdx.y * 2 * dim + x;
    uint4 gate = from[0], up = from[dim];
    half2 *gates = (half2*)&gate, *ups = (half2*)&up;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float2 g = __half22float2(gates[k]), u = __half22float2(ups[k]);
        g.x = g.x / (1 + __expf(-g.x)) * u.x;
        g.y = g.y / (1 + __expf(-g.y)) * u.y;
        gates[k] = __float22half2_rn(g);
    }
    ((uint4*)out)[blockIdx.y * dim + x] = gate;
}
