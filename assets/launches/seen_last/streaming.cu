// Streaming: video to colours, an optimiser by signs, parity of disks, and radio samples to baseband.
#include <cuda_bf16.h>

// launch video_to_colours: --kernel video_to_colours --grid 15,2160 --block 64 --arg u8[8294400]=0..255 --arg u8[4147200]=0..255 --arg u8[33177600] --arg i32:3840
// Video frames to four bytes a pixel: full brightness, and colour for 2 x 2 pixels together.
// A thread has four pixels of a line.
__global__ void video_to_colours(const unsigned* __restrict__ luma, const unsigned* __restrict__ chroma,
                                 uint4* __restrict__ out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, quarter = width / 4;
    unsigned bright = luma[y * quarter + x], colour = chroma[y / 2 * quarter + x], pixels[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float c = 1.164f * ((float)(bright >> 8 * k & 255) - 16), u = (float)(colour >> k / 2 * 16 & 255) - 128,
              v = (float)(colour >> (k / 2 * 16 + 8) & 255) - 128;
        int r = min(max(__float2int_rn(c + 1.793f * v), 0), 255);
        int g = min(max(__float2int_rn(c - 0.213f * u - 0.533f * v), 0), 255);
        int b = min(max(__float2int_rn(c + 2.112f * u), 0), 255);
        pixels[k] = 0xff000000u | b << 16 | g << 8 | r;
    }
    out[y * quarter + x] = make_uint4(pixels[0], pixels[1], pixels[2], pixels[3]);
}

// launch lion_update: --kernel lion_update --grid 4800 --block 384 --arg f32[7372800]=-1..1 --arg f32[7372800]=-0.1..0.1 --arg bf16[7372800]=-1..1 --arg f32:0.0001 --arg f32:0.9 --arg f32:0.99 --arg f32:0.1
// Training by the sign of a moving average: weights and averages in floats, gradients in bfloat16, four a thread.
__global__ void lion_update(float4* weights, float4* averages, const __nv_bfloat16* __restrict__ gradients, float rate,
                            float first, float second, float decay) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint2 two = ((const uint2*)gradients)[i];
    float4 w = weights[i], m = averages[i];
    float g[4] = {__uint_as_float(two.x << 16), __uint_as_float(two.x & 0xffff0000u), __uint_as_float(two.y << 16),
                  __uint_as_float(two.y & 0xffff0000u)};
    float ws[4] = {w.x, w.y, w.z, w.w}, ms[4] = {m.x, m.y, m.z, m.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float blend = first * ms[k] + (1 - first) * g[k];
        ws[k] -= rate * (copysignf(1.0f, blend) + decay * ws[k]);
        ms[k] = second * ms[k] + (1 - second) * g[k];
    }
    weights[i] = make_float4(ws[0], ws[1], ws[2], ws[3]);
    averages[i] = make_float4(ms[0], ms[1], ms[2], ms[3]);
}

__device__ __forceinline__ unsigned doubled(unsigned w) {
    return (w << 1 & 0xfefefefeu) ^ (w >> 7 & 0x01010101u) * 0x1du;
}

// launch disk_parity: --kernel disk_parity --grid 1250 --block 256 --arg u8[40960000]=0..255 --arg u8[5120000] --arg u8[5120000] --arg i32:320000
// Two kinds of parity over eight disks, one plain, one with powers of two in a field of 256.
__global__ void disk_parity(const uint4* __restrict__ disks, uint4* __restrict__ plain, uint4* __restrict__ weighted, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 p = make_uint4(0, 0, 0, 0), q = p;
#pragma unroll
    for (int d = 7; d >= 0; --d) {
        uint4 v = disks[d * n + i];
        p.x ^= v.x, p.y ^= v.y, p.z ^= v.z, p.w ^= v.w;
        q.x = doubled(q.x) ^ v.x, q.y = doubled(q.y) ^ v.y, q.z = doubled(q.z) ^ v.z, q.w = doubled(q.w) ^ v.w;
    }
    plain[i] = p;
    weighted[i] = q;
}

// launch to_baseband: --kernel to_baseband --grid 792 --block 128 --arg u8[14680064]=0..255 --arg f32[14680064] --arg u32:123456789 --arg i32:1835008
// Software radio: pairs of bytes to complex numbers, turned back by an oscillator whose phase is a word.
// Four samples a thread and round.
__global__ void to_baseband(const uint2* __restrict__ samples, float4* __restrict__ out, unsigned step, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint2 raw = samples[i];
        float re[4], im[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            unsigned word = k < 2 ? raw.x : raw.y;
            float a = (float)(word >> k % 2 * 16 & 255) - 127.5f, b = (float)(word >> (k % 2 * 16 + 8) & 255) - 127.5f;
            float phase = (float)(int)((4u * i + k) * step) * 1.4629181e-9f, s, c;
            __sincosf(phase, &s, &c);
            re[k] = a * c + b * s;
            im[k] = b * c - a * s;
        }
        out[2 * i] = make_float4(re[0], im[0], re[1], im[1]);
        out[2 * i + 1] = make_float4(re[2], im[2], re[3], im[3]);
    }
}
