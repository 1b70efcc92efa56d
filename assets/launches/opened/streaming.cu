// Streaming: each element once, with more or less arithmetic between its load and its store.
#include <cuda_bf16.h>

// launch adamw: --kernel adamw --grid 15625 --block 512 --arg f32[8000000]=-1..1 --arg f32[8000000]=-0.1..0.1 --arg f32[8000000]=0..0.1 --arg bf16[8000000]=-1..1 --arg bf16[8000000] --arg f32:0.0001 --arg i32:7999900
// A step of an optimiser: four arrays are read, three of them written again, and one more for the next pass.
__global__ void adamw(float* weights, float* first, float* second, const __nv_bfloat16* __restrict__ gradients,
                      __nv_bfloat16* __restrict__ rounded, float rate, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float g = __bfloat162float(gradients[i]), w = weights[i];
    float m = first[i] * 0.9f + g * 0.1f, v = second[i] * 0.999f + g * g * 0.001f;
    first[i] = m;
    second[i] = v;
    w -= rate * (m / (sqrtf(v) + 1e-8f) + 0.1f * w);
    weights[i] = w;
    rounded[i] = __float2bfloat16(w);
}

// launch gelu_vectors: --kernel gelu_vectors --grid 8192 --block 512 --arg bf16[33554432]=-3..3 --arg bf16[33554432]
// Eight numbers of sixteen bits a thread, a hyperbolic tangent each.
__global__ void gelu_vectors(const __nv_bfloat16* __restrict__ in, __nv_bfloat16* __restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 vector = ((const uint4*)in)[i];
    __nv_bfloat162* pairs = (__nv_bfloat162*)&vector;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float2 x = __bfloat1622float2(pairs[k]);
        x.x = 0.5f * x.x * (1 + tanhf(0.7978846f * (x.x + 0.044715f * x.x * x.x * x.x)));
        x.y = 0.5f * x.y * (1 + tanhf(0.7978846f * (x.y + 0.044715f * x.y * x.y * x.y)));
        pairs[k] = __float22bfloat162_rn(x);
    }
    ((uint4*)out)[i] = vector;
}

__device__ float normal_up_to(float d) {
    float k = 1 / (1 + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212560f + k * 1.3302744f)))));
    return d > 0 ? 1 - tail : tail;
}

// launch black_scholes: --kernel black_scholes --grid 16384 --block 128 --arg f32[4194304]=5..30 --arg f32[4194304]=1..100 --arg f32[4194304]=0.25..10 --arg f32[4194304] --arg f32[4194304] --arg f32:0.02 --arg f32:0.3
// Prices of options, two a thread.
__global__ void black_scholes(const float2* __restrict__ prices, const float2* __restrict__ strikes,
                              const float2* __restrict__ years, float2* __restrict__ calls, float2* __restrict__ puts,
                              float rate, float volatility) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto price = [&](float s, float x, float t, float& call, float& put) {
        float root = sqrtf(t), d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float n1 = normal_up_to(d1), n2 = normal_up_to(d1 - volatility * root), discounted = x * expf(-rate * t);
        call = s * n1 - discounted * n2;
        put = discounted * (1 - n2) - s * (1 - n1);
    };
    float2 s = prices[i], x = strikes[i], t = years[i], call, put;
    price(s.x, x.x, t.x, call.x, put.x);
    price(s.y, x.y, t.y, call.y, put.y);
    calls[i] = call;
    puts[i] = put;
}

// launch dropout: --kernel dropout --grid 1056 --block 256 --arg f32[16777216]=-1..1 --arg f32[16777216] --arg u8[16777216] --arg u32:1234 --arg f32:0.1 --arg i32:4194304
// Four random words from ten rounds of Philox decide which of four numbers stay.
__global__ void dropout(const float4* __restrict__ in, float4* __restrict__ out, uchar4* __restrict__ kept,
                        unsigned seed, float share, int n) {
    float scale = 1 / (1 - share);
    unsigned limit = (unsigned)(share * 4294967296.0f);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned x = i, y = 0, z = 0, w = 0, key0 = seed, key1 = 0;
#pragma unroll
        for (int round = 0; round < 10; ++round) {
            unsigned high0 = __umulhi(0xD2511F53u, x), low0 = 0xD2511F53u * x;
            unsigned high1 = __umulhi(0xCD9E8D57u, z), low1 = 0xCD9E8D57u * z;
            x = high1 ^ y ^ key0;
            y = low1;
            z = high0 ^ w ^ key1;
            w = low0;
            key0 += 0x9E3779B9u;
            key1 += 0xBB67AE85u;
        }
        float4 v = in[i];
        uchar4 stays = make_uchar4(x >= limit, y >= limit, z >= limit, w >= limit);
        out[i] = make_float4(v.x * scale * stays.x, v.y * scale * stays.y, v.z * scale * stays.z,
                             v.w * scale * stays.w);
        kept[i] = stays;
    }
}
