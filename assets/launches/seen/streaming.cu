// Streaming: a cipher, one picture over another, weights of four bits unpacked, and the state of a gas.
#include <cuda_fp16.h>

__device__ void quarter_round(unsigned& a, unsigned& b, unsigned& c, unsigned& d) {
    a += b, d = __funnelshift_l(d ^ a, d ^ a, 16);
    c += d, b = __funnelshift_l(b ^ c, b ^ c, 12);
    a += b, d = __funnelshift_l(d ^ a, d ^ a, 8);
    c += d, b = __funnelshift_l(b ^ c, b ^ c, 7);
}

// launch chacha_stream: --kernel chacha_stream --grid 8192 --block 64 --arg u8[33554432]=0..255 --arg u32[8388608] --arg u32[8]=0..16777215 --arg u32:7
// ChaCha20: a thread makes 64 bytes of the stream in twenty rounds, and mixes them into the text.
__global__ void chacha_stream(const unsigned char* __restrict__ text_bytes,
                              uint4* __restrict__ out,
                              const unsigned* __restrict__ key,
                              unsigned nonce) {
    const uint4* text = (const uint4*)text_bytes;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned first[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key[0],      key[1], key[2], key[3],
                          key[4],     key[5],     key[6],     key[7],     (unsigned)i, 0,      nonce,  0};
    unsigned x[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) x[k] = first[k];
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        quarter_round(x[0], x[4], x[8], x[12]);
        quarter_round(x[1], x[5], x[9], x[13]);
        quarter_round(x[2], x[6], x[10], x[14]);
        quarter_round(x[3], x[7], x[11], x[15]);
        quarter_round(x[0], x[5], x[10], x[15]);
        quarter_round(x[1], x[6], x[11], x[12]);
        quarter_round(x[2], x[7], x[8], x[13]);
        quarter_round(x[3], x[4], x[9], x[14]);
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 words = text[i * 4 + k];
        words.x ^= x[4 * k] + first[4 * k];
        words.y ^= x[4 * k + 1] + first[4 * k + 1];
        words.z ^= x[4 * k + 2] + first[4 * k + 2];
        words.w ^= x[4 * k + 3] + first[4 * k + 3];
        out[i * 4 + k] = words;
    }
}

__device__ unsigned blended(unsigned above, unsigned below) {
    unsigned share = 255 - (above >> 24);
    unsigned even = (below & 0x00ff00ffu) * share + 0x00800080u, odd = (below >> 8 & 0x00ff00ffu) * share + 0x00800080u;
    even = (even + (even >> 8 & 0x00ff00ffu)) >> 8 & 0x00ff00ffu;
    odd = (odd + (odd >> 8 & 0x00ff00ffu)) & 0xff00ff00u;
    return __vaddus4(above, even | odd);
}

// launch alpha_blend: --kernel alpha_blend --grid 6480 --block 320 --arg u8[33177600]=0..255 --arg u8[33177600]=0..255 --arg u8[33177600]
// A picture of 3840 x 2160 pixels of four bytes is laid over another: four pixels a thread, two bytes a product.
__global__ void alpha_blend(const unsigned char* __restrict__ above_bytes,
                              const unsigned char* __restrict__ below_bytes,
                              unsigned char* __restrict__ out_bytes) {
    const uint4* above = (const uint4*)above_bytes;
    const uint4* below = (const uint4*)below_bytes;
    uint4* out = (uint4*)out_bytes;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 a = above[i], b = below[i];
    out[i] = make_uint4(blended(a.x, b.x), blended(a.y, b.y), blended(a.z, b.z), blended(a.w, b.w));
}

// launch dequantise_four_bits: --kernel dequantise_four_bits --grid 16384 --block 512 --arg u8[33554432]=0..255 --arg f16[2097152]=0..1 --arg u32[33554432]
// Weights of four bits become halves: eight from a word, with a scale for every 32, by a trick with the exponent.
__global__ void dequantise_four_bits(const unsigned char* __restrict__ packed_bytes,
                              const half* __restrict__ scales,
                              uint4* __restrict__ out) {
    const unsigned* packed = (const unsigned*)packed_bytes;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word = packed[i];
    half2 scale = __half2half2(scales[i / 4]), bias = __float2half2_rn(1032.0f);
    unsigned results[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        unsigned bits = (word >> 4 * k & 0x000f000fu) | 0x64006400u;
        half2 pair = __hmul2(__hsub2(*(half2*)&bits, bias), scale);
        results[k] = *(unsigned*)&pair;
    }
    out[i] = make_uint4(results[0], results[1], results[2], results[3]);
}

// launch ideal_gas: --kernel ideal_gas --grid 120,60 --block 32,16 --arg f64[3696004]=0.5..2 --arg f64[3696004]=1..3 --arg f64[3696004] --arg f64[3696004] --arg i32:3842
// Pressure and the speed of sound from density and energy, in doubles, on the inner cells of a grid with a rim: two
// divisions and a root a cell.
__global__ void ideal_gas(const double* __restrict__ density, const double* __restrict__ energy,
                          double* __restrict__ pressure, double* __restrict__ speed, int pitch) {
    int i = (blockIdx.y * 16 + threadIdx.y + 1) * pitch + blockIdx.x * 32 + threadIdx.x + 1;
    double d = density[i], e = energy[i], volume = 1 / d, p = 0.4 * d * e;
    double by_energy = 0.4 * d, by_volume = -d * p * volume;
    pressure[i] = p;
    speed[i] = sqrt(volume * volume * (p * by_energy / d - by_volume));
}
