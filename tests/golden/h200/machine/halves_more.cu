// Halves in pairs: comparisons, minimum, maximum, fma with relu, conversions with roundings, atomics.
// lanewise-engine run halves_more.cu --kernel halves --grid 1 --block 64 --arg u32[768] --arg u32[64]
// results: exact
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__device__ unsigned bits(__half2 v) { return *(unsigned*)&v; }
__device__ unsigned bits(__nv_bfloat162 v) { return *(unsigned*)&v; }
__global__ void halves(unsigned* out, const unsigned* in) {
    unsigned w = in[threadIdx.x] & 0xbfffbfff, u = in[63 - threadIdx.x] & 0xbfffbfff;
    __half2 a = *(__half2*)&w, b = *(__half2*)&u;
    __nv_bfloat162 c = *(__nv_bfloat162*)&w, d = *(__nv_bfloat162*)&u;
    out += threadIdx.x * 12;
    out[0] = bits(__hfma2_relu(a, b, a));
    out[1] = bits(__hmax2(a, b)) ^ bits(__hmin2_nan(a, b));
    out[2] = bits(__hgt2(a, b)) + __hbgeu2(a, b) + __hbeq2(a, a);
    out[3] = __half2int_rd(__low2half(a)) + __half2uint_rz(__high2half(b)) + __half2short_ru(__low2half(b));
    out[4] = bits(__h2div(a, b)) ^ bits(h2rint(a)) ^ bits(h2trunc(b)) ^ bits(h2floor(a));
    out[5] = bits(__hmul2_sat(a, b)) + bits(__hadd2_rn(a, b));
    out[6] = bits(__hfma2(c, d, c)) ^ bits(__hneg2(d)) ^ bits(__habs2(c));
    out[7] = bits(__hmax2(c, d)) + bits(__hmin2(c, d));
    out[8] = bits(__floats2bfloat162_rn(__low2float(a), __high2float(b)));
    out[9] = __half_as_ushort(__int2half_rn((int)w)) | __half_as_ushort(__float2half_rz(__uint_as_float(w))) << 16;
    out[10] = __bfloat162int_rz(__low2bfloat16(c)) + __bfloat162uint_rn(__high2bfloat16(d));
    out[11] = bits(__lowhigh2highlow(a)) ^ bits(__lows2half2(a, b)) ^ bits(__highs2half2(b, a)) ^ (bits(__hadd2(a, h2sqrt(__habs2(b)))));
}
