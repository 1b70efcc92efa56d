// Half precision one and two at a time: sums, products, comparisons, extremes, conversions.
// lanewise-engine run half_math.cu --kernel half_math --grid 1 --block 64 --arg u32[768] --arg u32[64]
// results: exact
#include <cuda_fp16.h>

__device__ unsigned bits(__half2 v) { return *reinterpret_cast<unsigned*>(&v); }

__global__ void half_math(unsigned* out, const unsigned* in) {
    unsigned w = in[threadIdx.x];
    __half2 a = __floats2half2_rn((w & 255) / 16.0f - 4, (w >> 8 & 255) / 8.0f - 16);
    __half2 b = __halves2half2(__int2half_rn(w >> 16 & 31), __float2half_rz(0.1f * (w >> 24)));
    out += threadIdx.x * 12;
    out[0] = bits(__hadd2(a, b));
    out[1] = bits(__hsub2(a, b));
    out[2] = bits(__hmul2(a, b));
    out[3] = bits(__hfma2(a, b, a));
    out[4] = bits(__hmax2(a, b));
    out[5] = bits(__hmin2(a, __hneg2(b)));
    out[6] = bits(__hlt2(a, b)) + __hbgt2(a, b);
    out[7] = bits(__hfma2_relu(a, b, __hneg2(a))) ^ bits(__habs2(a));
    float2 f = __half22float2(__hmul2_sat(a, b));
    out[8] = __float_as_uint(f.x + 2 * f.y);
    out[9] = __half2int_rz(__low2half(a)) + 100 * __half2int_ru(__high2half(a)) + __half2ushort_rn(__low2half(b));
    out[10] = bits(__hadd2_sat(a, b)) + bits(__lowhigh2highlow(a));
    out[11] = (__hge(__low2half(a), __high2half(b)) ? 1 : 0) + (__hisnan(__low2half(a)) ? 2 : 0) +
              (__heq(__low2half(b), __high2half(b)) ? 4 : 0) + (unsigned)__half_as_ushort(__hadd(__low2half(a), __high2half(a))) * 8;
}
