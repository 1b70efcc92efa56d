// Streaming: a step of learning, prices of options, pixels of twelve bits, and a cipher that only adds, turns and XORs.
#include <cuda_fp16.h>

// launch learn_a_step: --kernel learn_a_step --grid 2048 --block 256 --arg f16[2097152]=-1..1 --arg f32[2097152]=-1..1 --arg f32[2097152]=-0.1..0.1 --arg f32[2097152]=0..0.1 --arg f16[2097152] --arg f32:0.0001 --arg f32:0.9 --arg f32:0.999
// Training: Adam with weights that fade: both moments and the weights are brought up to date, and a copy in halves is written.
// Four weights a thread, four streams in and four out.
__global__ void learn_a_step(const half2* __restrict__ gradients, float4* weights, float4* firsts, float4* seconds,
                             half2* __restrict__ copies, float rate, float keep, float keep_squares) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 packed = ((const uint2*)gradients)[i];
    float4 w = weights[i], m = firsts[i], v = seconds[i];
    float2 a = __half22float2(*(half2*)&packed.x), b = __half22float2(*(half2*)&packed.y);
    auto step = [&](float g, float& weight, float& first, float& second) {
        first = keep * first + (1 - keep) * g;
        second = keep_squares * second + (1 - keep_squares) * g * g;
        weight -= rate * (first / (sqrtf(second) + 1e-8f) + 0.01f * weight);
    };
    step(a.x, w.x, m.x, v.x), step(a.y, w.y, m.y, v.y), step(b.x, w.z, m.z, v.z), step(b.y, w.w, m.w, v.w);
    weights[i] = w, firsts[i] = m, seconds[i] = v;
    half2 low = __floats2half2_rn(w.x, w.y), high = __floats2half2_rn(w.z, w.w);
    ((uint2*)copies)[i] = make_uint2(*(unsigned*)&low, *(unsigned*)&high);
}

// launch prices_of_options: --kernel prices_of_options --grid 528 --block 128 --arg f32[2000000]=50..150 --arg f32[2000000]=50..150 --arg f32[2000000]=0.1..2 --arg f32[2000000] --arg f32[2000000] --arg i32:2000000 --arg f32:0.03 --arg f32:0.25
// Finance: Black and Scholes's prices of two million calls and puts.
// The grid strides through them; the normal distribution comes from the library.
__global__ void prices_of_options(const float* __restrict__ spots, const float* __restrict__ strikes,
                                  const float* __restrict__ years, float* __restrict__ calls, float* __restrict__ puts, int n,
                                  float rate, float sigma) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = spots[i], k = strikes[i], t = years[i], wide = sigma * sqrtf(t);
        float d = (logf(s / k) + (rate + 0.5f * sigma * sigma) * t) / wide, left = k * expf(-rate * t);
        float call = s * normcdff(d) - left * normcdff(d - wide);
        calls[i] = call;
        puts[i] = call - s + left;
    }
}

// launch twelve_bits: --kernel twelve_bits --grid 6144 --block 256 --arg u8[18874368]=0..255 --arg u8[25165824] --arg u32:64 --arg f32:1.31
// Cameras: raw pixels of twelve bits, packed without gaps, become sixteen bits each, less black and times a gain.
// Eight pixels a thread: three words in, one vector of sixteen bytes out.
__global__ void twelve_bits(const unsigned char* __restrict__ packed, uint4* __restrict__ pixels, unsigned black, float gain) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned* from = (const unsigned*)packed + 3 * i;
    unsigned a = from[0], b = from[1], c = from[2], words[4];
    unsigned p[8] = {a & 4095, a >> 12 & 4095, __funnelshift_r(a, b, 24) & 4095, b >> 4 & 4095,
                     b >> 16 & 4095, __funnelshift_r(b, c, 28) & 4095, c >> 8 & 4095, c >> 20};
#pragma unroll
    for (int k = 0; k < 8; ++k) p[k] = min((unsigned)((p[k] > black ? p[k] - black : 0) * gain * 16.0f), 65535u);
#pragma unroll
    for (int k = 0; k < 4; ++k) words[k] = p[2 * k] | p[2 * k + 1] << 16;
    pixels[i] = make_uint4(words[0], words[1], words[2], words[3]);
}

// launch add_turn_xor: --kernel add_turn_xor --grid 1280 --block 192 --arg u32[3932160]=0..2000000000 --arg u32[8]=0..2000000000 --arg u32[3932160] --arg u32:7
// Cryptography: ChaCha of twenty rounds over fifteen megabytes, a block of 64 bytes a thread.
// Sixteen words in registers; loads and stores lie 64 bytes apart from lane to lane.
__global__ void __launch_bounds__(192) add_turn_xor(const uint4* __restrict__ text, const unsigned* __restrict__ key,
                                                    uint4* __restrict__ out, unsigned nonce) {
    unsigned i = blockIdx.x * 192 + threadIdx.x;
    unsigned s[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u, key[0], key[1], key[2], key[3],
                      key[4], key[5], key[6], key[7], i, 0, nonce, ~nonce}, x[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) x[k] = s[k];
    auto quarter = [&](int a, int b, int c, int d) {
        x[a] += x[b], x[d] ^= x[a], x[d] = __funnelshift_l(x[d], x[d], 16);
        x[c] += x[d], x[b] ^= x[c], x[b] = __funnelshift_l(x[b], x[b], 12);
        x[a] += x[b], x[d] ^= x[a], x[d] = __funnelshift_l(x[d], x[d], 8);
        x[c] += x[d], x[b] ^= x[c], x[b] = __funnelshift_l(x[b], x[b], 7);
    };
#pragma unroll 2
    for (int round = 0; round < 10; ++round) {
        quarter(0, 4, 8, 12), quarter(1, 5, 9, 13), quarter(2, 6, 10, 14), quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15), quarter(1, 6, 11, 12), quarter(2, 7, 8, 13), quarter(3, 4, 9, 14);
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 v = text[(size_t)i * 4 + k];
        v.x ^= x[4 * k] + s[4 * k], v.y ^= x[4 * k + 1] + s[4 * k + 1];
        v.z ^= x[4 * k + 2] + s[4 * k + 2], v.w ^= x[4 * k + 3] + s[4 * k + 3];
        out[(size_t)i * 4 + k] = v;
    }
}
