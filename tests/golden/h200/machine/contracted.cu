// Products and differences that ptxas makes one instruction of: complex numbers, differences, halves.
// lanewise-engine run contracted.cu --kernel contracted --grid 2 --block 64 --arg f32[768] --arg f64[128] --arg u32[384] --arg u32[512]
// results: exact
#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct Complex { float re, im; };
__device__ Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__global__ void contracted(float* out, double* wide, unsigned* halves, const unsigned* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto part = [&](int k) { return (int)(in[i * 4 + k] % 200003) / 4096.0f - 20; };
    float a = part(0), b = part(1), c = part(2), d = part(3);
    Complex z = {a, b}, w = {c, d};
    z = z * w * z;
    out += i * 6;
    out[0] = z.re, out[1] = z.im;
    float kept = a * b;
    out[2] = kept - c * d, out[3] = kept;
    out[4] = a * d - kept;
    out[5] = b * d - c * c;
    wide[i] = (double)a * b - (double)c * d * d;
    __half2 h = __floats2half2_rn(a, b), g = __floats2half2_rn(c, d);
    __nv_bfloat162 e = __floats2bfloat162_rn(a, b), f = __floats2bfloat162_rn(c, d);
    __half2 sum = __hadd2(g, __hmul2(h, h)), less = __hsub2(__hmul2(h, g), __hmul2(g, g));
    __nv_bfloat162 brain = __hsub2(e, __hmul2(f, f));
    halves += i * 3;
    halves[0] = *(unsigned*)&sum, halves[1] = *(unsigned*)&less, halves[2] = *(unsigned*)&brain;
}
