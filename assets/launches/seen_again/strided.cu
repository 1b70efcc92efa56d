// Strided: Walsh's transform, stresses as records, coefficients in zigzag, and echoes whose corner is turned.
#include <cuda_fp16.h>

__device__ void walsh_sixteen(float (&v)[16]) {
#pragma unroll
    for (int s = 0; s < 4; ++s)
#pragma unroll
        for (int k = 0; k < 16; ++k)
            if ((k >> s & 1) == 0) {
                float a = v[k], b = v[k + (1 << s)];
                v[k] = a + b;
                v[k + (1 << s)] = a - b;
            }
}

// launch walsh_codes: --kernel walsh_codes --grid 1500 --block 256 --arg f32[6144000]=-1..1 --arg f32[6144000]
// Mobile telephones: Walsh's transform of 1,500 pieces of 4,096 numbers each, sixteen numbers a thread, in three passes.
// Strides are 256, 16 and 1: in shared memory the last pass hits two banks only, and the stores lie 64 bytes apart.
__global__ void __launch_bounds__(256) walsh_codes(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float held[4096];
    int t = threadIdx.x, middle = t / 16 * 256 + t % 16;
    const float* from = in + (size_t)blockIdx.x * 4096 + t;
    float* to = out + (size_t)blockIdx.x * 4096 + t * 16;
    float v[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = from[k * 256];
    walsh_sixteen(v);
#pragma unroll
    for (int k = 0; k < 16; ++k) held[k * 256 + t] = v[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = held[middle + k * 16];
    walsh_sixteen(v);
#pragma unroll
    for (int k = 0; k < 16; ++k) held[middle + k * 16] = v[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = held[t * 16 + k];
    walsh_sixteen(v);
#pragma unroll
    for (int k = 0; k < 16; ++k) to[k] = v[k] * (1.0f / 64);
}

struct Stress {
    double xx, yy, zz, xy, yz, zx;
};

// launch principal_stresses: --kernel principal_stresses --grid 4688 --block 128 --arg f64[3600000]=-1..1 --arg f64[1800000] --arg i32:600000
// Strength of machines: the three principal stresses of 600,000 places, each a symmetric matrix in a record of six doubles.
// By an arc cosine and two cosines; three doubles are written side by side.
__global__ void principal_stresses(const Stress* __restrict__ stresses, double* __restrict__ principal, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Stress s = stresses[i];
    double mean = (s.xx + s.yy + s.zz) / 3.0;
    double a = s.xx - mean, b = s.yy - mean, c = s.zz - mean;
    double size = sqrt((a * a + b * b + c * c + 2.0 * (s.xy * s.xy + s.yz * s.yz + s.zx * s.zx)) / 6.0 + 1e-30);
    double determinant = a * (b * c - s.yz * s.yz) - s.xy * (s.xy * c - s.yz * s.zx) + s.zx * (s.xy * s.yz - b * s.zx);
    double angle = acos(fmin(fmax(determinant / (2.0 * size * size * size), -1.0), 1.0)) / 3.0;
    double largest = mean + 2.0 * size * cos(angle), smallest = mean + 2.0 * size * cos(angle + 2.0943951023931953);
    principal[3 * i] = largest;
    principal[3 * i + 1] = 3.0 * mean - largest - smallest;
    principal[3 * i + 2] = smallest;
}

__constant__ unsigned char zigzag_order[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// launch zigzag_squares: --kernel zigzag_squares --grid 24576 --block 256 --arg u8[12582912]=0..255 --arg i32[64]=1..99 --arg u8[12582912] --arg i32:3072
// Pictures for the web: cosine coefficients of 3,072 x 2,048 pixels are divided by their steps and put in the order of JPEG.
// A thread a coefficient; the table is in constant memory, where each lane wants another entry; a warp reads from eight rows.
__global__ void zigzag_squares(const short* __restrict__ coefficients, const int* __restrict__ steps, short* __restrict__ out,
                               int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int square = i / 64, place = zigzag_order[i % 64], across = width / 8;
    int x = square % across * 8 + place % 8, y = square / across * 8 + place / 8;
    int v = coefficients[y * width + x], step = steps[place];
    out[i] = (short)((v >= 0 ? v + step / 2 : v - step / 2) / step);
}

// launch corner_turn: --kernel corner_turn --grid 94,64 --block 32,8 --arg f32[12288000]=-1..1 --arg f32[2048]=0..1 --arg f16[12288000] --arg i32:3000 --arg i32:2048
// Radar: echoes of 2,048 pulses with 3,000 complex samples each are turned, so that all pulses of a distance lie side by side.
// A tile goes through shared memory without padding; what is written is weighted by a window, and made halves.
__global__ void corner_turn(const float2* __restrict__ echoes, const float* __restrict__ window, half2* __restrict__ turned,
                            int samples, int pulses) {
    __shared__ float2 tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, sample = blockIdx.x * 32 + tx, pulse = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (sample < samples) tile[ty + j][tx] = echoes[(pulse + j) * samples + sample];
    __syncthreads();
    sample = blockIdx.x * 32 + ty;
    pulse = blockIdx.y * 32 + tx;
    float weight = window[pulse];
    for (int j = 0; j < 32; j += 8)
        if (sample + j < samples) {
            float2 v = tile[tx][ty + j];
            turned[(sample + j) * pulses + pulse] = __floats2half2_rn(v.x * weight, v.y * weight);
        }
}
