// Four element by element: rounding to bfloat16 by chance, hues of pixels, bytes to base 64, the gates of a recurrent cell.
#include <cuda_fp16.h>

// launch round_by_chance: --kernel round_by_chance --grid 4096 --block 256 --arg f32[8388608]=-1..1 --arg u16[8388608] --arg u32:1234567 --arg i32:1048576
// Training in bfloat16: floats to bfloat16, up or down by chance in proportion to what is cut off, the random bits hashed
// from the element's number. A thread eight elements, 16-byte loads and stores.
__device__ __forceinline__ unsigned hash_of(unsigned v)
{
    unsigned s = v * 747796405u + 2891336453u;
    unsigned w = ((s >> ((s >> 28) + 4u)) ^ s) * 277803737u;
    return (w >> 22) ^ w;
}
__device__ __forceinline__ unsigned rounded(float f, unsigned noise)
{
    unsigned u = __float_as_uint(f);
    if ((u & 0x7f800000u) == 0x7f800000u)
        return (u >> 16) | ((u & 0x7fffffu) ? 0x40u : 0u);
    return (u + (noise & 0xffffu)) >> 16;
}
__global__ void round_by_chance(const float4* __restrict__ in, unsigned short* __restrict__ out, unsigned seed, int eights)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= eights) return;
    float4 a = in[2 * t], b = in[2 * t + 1];
    unsigned h0 = hash_of((4u * t) ^ seed);
    unsigned h1 = hash_of((4u * t + 1u) ^ seed);
    unsigned h2 = hash_of((4u * t + 2u) ^ seed);
    unsigned h3 = hash_of((4u * t + 3u) ^ seed);
    uint4 r;
    r.x = rounded(a.x, h0) | (rounded(a.y, h0 >> 16) << 16);
    r.y = rounded(a.z, h1) | (rounded(a.w, h1 >> 16) << 16);
    r.z = rounded(b.x, h2) | (rounded(b.y, h2 >> 16) << 16);
    r.w = rounded(b.z, h3) | (rounded(b.w, h3 >> 16) << 16);
    reinterpret_cast<uint4*>(out)[t] = r;
}

// launch shift_hues: --kernel shift_hues --grid 792 --block 256 --arg u8[12582912] --arg u8[12582912] --arg i32:3145728 --arg f32:0.8 --arg f32:1.25 --arg f32:0.95
// Photo editing: hue turned, saturation and value scaled, of RGBA bytes by way of hue, saturation and value. Grid stride,
// a pixel at a time.
__global__ void shift_hues(const uchar4* __restrict__ in, uchar4* __restrict__ out, int n, float turn, float saturate, float brighten)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 c = in[i];
        float r = c.x / 255.0f, g = c.y / 255.0f, b = c.z / 255.0f;
        float top = fmaxf(r, fmaxf(g, b)), low = fminf(r, fminf(g, b));
        float d = top - low;
        float h = 0.0f, s = 0.0f;
        if (d > 0.0f) {
            s = d / top;
            if (top == r) h = (g - b) / d;
            else if (top == g) h = 2.0f + (b - r) / d;
            else h = 4.0f + (r - g) / d;
        }
        h += turn;
        if (h < 0.0f) h += 6.0f;
        if (h >= 6.0f) h -= 6.0f;
        s = fminf(s * saturate, 1.0f);
        float v = fminf(top * brighten, 1.0f);
        int sector = (int)h;
        float f = h - sector;
        float p = v * (1.0f - s), q = v * (1.0f - s * f), t = v * (1.0f - s * (1.0f - f));
        switch (sector) {
        case 0: r = v; g = t; b = p; break;
        case 1: r = q; g = v; b = p; break;
        case 2: r = p; g = v; b = t; break;
        case 3: r = p; g = q; b = v; break;
        case 4: r = t; g = p; b = v; break;
        default: r = v; g = p; b = q; break;
        }
        out[i] = make_uchar4((unsigned char)(r * 255.0f + 0.5f), (unsigned char)(g * 255.0f + 0.5f), (unsigned char)(b * 255.0f + 0.5f), c.w);
    }
}

// launch bytes_to_base64: --kernel bytes_to_base64 --grid 4096 --block 256 --arg u8[12582912] --arg u8[16777216] --arg i32:1048576
// Data exchange: bytes as base 64 text. A thread twelve bytes, three words in and sixteen letters out; the letters by
// arithmetic and not by a table.
__device__ __forceinline__ unsigned letter(unsigned six)
{
    unsigned c = six + 'A';
    if (six >= 26) c = six + ('a' - 26);
    if (six >= 52) c = six + '0' - 52;
    if (six == 62) c = '+';
    if (six == 63) c = '/';
    return c;
}
__device__ __forceinline__ unsigned four_letters(unsigned three)
{
    return letter(three >> 18) | (letter((three >> 12) & 63) << 8) | (letter((three >> 6) & 63) << 16) | (letter(three & 63) << 24);
}
__global__ void bytes_to_base64(const unsigned* __restrict__ in, uint4* __restrict__ out, int dozens)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= dozens) return;
    unsigned a = in[3 * t], b = in[3 * t + 1], c = in[3 * t + 2];
    uint4 r;
    // the three bytes of each, the first on top
    r.x = four_letters(__byte_perm(a, 0, 0x4012));
    r.y = four_letters(__byte_perm(a, b, 0x0345) & 0xffffffu);
    r.z = four_letters(__byte_perm(b, c, 0x0234) & 0xffffffu);
    r.w = four_letters(__byte_perm(c, 0, 0x4123));
    out[t] = r;
}

// launch gru_gates: --kernel gru_gates --grid 2,2048 --block 256 --arg f16[6291456]=-2..2 --arg f16[6291456]=-2..2 --arg f16[3072]=-1..1 --arg f16[2097152]=-1..1 --arg f16[2097152] --arg i32:512
// Recurrent networks: what is left of a gated recurrent unit after its two products: reset, update and candidate, and the
// new state, in half. A thread two units, y the sequence of the batch.
__global__ void gru_gates(const __half2* __restrict__ from_input, const __half2* __restrict__ from_state, const __half2* __restrict__ bias,
    const __half2* __restrict__ state, __half2* __restrict__ next, int pairs)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= pairs) return;
    size_t row = (size_t)blockIdx.y * 3 * pairs + k;
    float2 xr = __half22float2(from_input[row]), hr = __half22float2(from_state[row]), br = __half22float2(bias[k]);
    float2 xz = __half22float2(from_input[row + pairs]), hz = __half22float2(from_state[row + pairs]), bz = __half22float2(bias[k + pairs]);
    float2 xn = __half22float2(from_input[row + 2 * pairs]), hn = __half22float2(from_state[row + 2 * pairs]), bn = __half22float2(bias[k + 2 * pairs]);
    size_t at = (size_t)blockIdx.y * pairs + k;
    float2 h = __half22float2(state[at]);
    float r0 = 1.0f / (1.0f + __expf(-(xr.x + hr.x + br.x)));
    float r1 = 1.0f / (1.0f + __expf(-(xr.y + hr.y + br.y)));
    float z0 = 1.0f / (1.0f + __expf(-(xz.x + hz.x + bz.x)));
    float z1 = 1.0f / (1.0f + __expf(-(xz.y + hz.y + bz.y)));
    float n0 = tanhf(xn.x + r0 * (hn.x + bn.x));
    float n1 = tanhf(xn.y + r1 * (hn.y + bn.y));
    next[at] = __floats2half2_rn(n0 + z0 * (h.x - n0), n1 + z1 * (h.y - n1));
}
