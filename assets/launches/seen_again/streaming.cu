// Streaming: the tones of a film, letters for the post, bodies that fall, and gradients of which the signs are sent.
#include <cuda_fp16.h>
#include <cuda_bf16.h>

__device__ float film_tone(float light) {
    float v = light * (2.51f * light + 0.03f) / (light * (2.43f * light + 0.59f) + 0.14f);
    return powf(fminf(fmaxf(v, 0.0f), 1.0f), 1 / 2.2f) * 255 + 0.5f;
}

// launch film_tones: --kernel film_tones --grid 9600 --block 384 --arg f16[14745600]=0..8 --arg u8[14745600] --arg f32:0.6
// Graphics: a picture of 2560 x 1440 pixels whose light has no upper limit, four halves each, is bent like film into bytes.
// A pixel a thread, with a division and a power a colour.
__global__ void film_tones(const half2* __restrict__ light, uchar4* __restrict__ screen, float exposure) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 rg = __half22float2(light[2 * i]), ba = __half22float2(light[2 * i + 1]);
    screen[i] = make_uchar4((unsigned char)film_tone(rg.x * exposure), (unsigned char)film_tone(rg.y * exposure),
                            (unsigned char)film_tone(ba.x * exposure), (unsigned char)(fminf(ba.y, 1.0f) * 255 + 0.5f));
}

__device__ unsigned post_letter(unsigned six) {
    return six + (six < 26 ? 65u : six < 52 ? 71u : six < 62 ? 0u - 4u : six == 62 ? 0u - 19u : 0u - 16u);
}

__device__ unsigned four_post_letters(unsigned bytes) {
    return post_letter(bytes >> 18 & 63) | post_letter(bytes >> 12 & 63) << 8 | post_letter(bytes >> 6 & 63) << 16 |
           post_letter(bytes & 63) << 24;
}

// launch post_letters: --kernel post_letters --grid 528 --block 192 --arg u8[24000000]=0..255 --arg u32[8000000] --arg i32:2000000
// Electronic mail: bytes become letters, three of them four (base 64); the grid strides through them.
// A thread reads three words and writes a vector of sixteen letters, which are worked out rather than looked up.
__global__ void post_letters(const unsigned* __restrict__ bytes, uint4* __restrict__ letters, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned a = bytes[3 * i], b = bytes[3 * i + 1], c = bytes[3 * i + 2];
        uint4 four;
        four.x = four_post_letters(__byte_perm(a, 0, 0x4012));
        four.y = four_post_letters(__byte_perm(a, b, 0x0345));
        four.z = four_post_letters(__byte_perm(b, c, 0x0234));
        four.w = four_post_letters(__byte_perm(c, 0, 0x4123));
        letters[i] = four;
    }
}

// launch kick_and_drift: --kernel kick_and_drift --grid 1954 --block 1024 --arg f64[2000000]=0..100 --arg f64[2000000]=0..100 --arg f64[2000000]=0..100 --arg f64[2000000]=-1..1 --arg f64[2000000]=-1..1 --arg f64[2000000]=-1..1 --arg f64[2000000]=-0.1..0.1 --arg f64[2000000]=-0.1..0.1 --arg f64[2000000]=-0.1..0.1 --arg f64:0.001 --arg f64:100 --arg i32:2000000
// Cosmology: two million bodies get faster by their acceleration, and move on in a box that repeats; all in doubles.
// Nine arrays are read, and six of them are written again.
__global__ void kick_and_drift(double* x, double* y, double* z, double* vx, double* vy, double* vz, const double* ax,
                               const double* ay, const double* az, double dt, double box, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        vx[i] = vx[i] + dt * ax[i];
        vy[i] = vy[i] + dt * ay[i];
        vz[i] = vz[i] + dt * az[i];
        double px = x[i] + dt * vx[i], py = y[i] + dt * vy[i], pz = z[i] + dt * vz[i];
        x[i] = px - box * floor(px / box);
        y[i] = py - box * floor(py / box);
        z[i] = pz - box * floor(pz / box);
    }
}

// launch signs_with_memory: --kernel signs_with_memory --grid 8000 --block 256 --arg bf16[16384000]=-0.4..0.4 --arg f32[16384000]=-0.2..0.2 --arg u8[2048000] --arg f32:0.5
// Training on many machines: only the signs of gradients are sent, a bit each; what that leaves out is kept for the next time.
// Eight numbers a thread: sixteen bytes of gradients, twice sixteen of what was left, and a byte of signs.
__global__ void signs_with_memory(const __nv_bfloat16* __restrict__ gradients, float4* __restrict__ left,
                                  unsigned char* __restrict__ signs, float size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 packed = ((const uint4*)gradients)[i];
    __nv_bfloat162* pairs = (__nv_bfloat162*)&packed;
    unsigned bits = 0;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        float4 v = left[2 * i + k];
        float2 a = __bfloat1622float2(pairs[2 * k]), b = __bfloat1622float2(pairs[2 * k + 1]);
        v.x += a.x, v.y += a.y, v.z += b.x, v.w += b.y;
        unsigned four = (v.x > 0) | (v.y > 0) << 1 | (v.z > 0) << 2 | (v.w > 0) << 3;
        bits |= four << (4 * k);
        v.x -= copysignf(size, v.x), v.y -= copysignf(size, v.y);
        v.z -= copysignf(size, v.z), v.w -= copysignf(size, v.w);
        left[2 * i + k] = v;
    }
    signs[i] = (unsigned char)bits;
}
