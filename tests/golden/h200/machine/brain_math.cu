// bfloat16 one and two at a time.
// lanewise-engine run brain_math.cu --kernel brain_math --grid 1 --block 64 --arg u32[512] --arg u32[64]
// results: exact
#include <cuda_bf16.h>

__device__ unsigned bits(__nv_bfloat162 v) { return *reinterpret_cast<unsigned*>(&v); }

__global__ void brain_math(unsigned* out, const unsigned* in) {
    unsigned w = in[threadIdx.x];
    __nv_bfloat162 a = __floats2bfloat162_rn((w & 255) / 16.0f - 4, (w >> 8 & 255) / 8.0f - 16);
    __nv_bfloat162 b = __floats2bfloat162_rn(w >> 16 & 31, 0.1f * (w >> 24));
    out += threadIdx.x * 8;
    out[0] = bits(__hadd2(a, b));
    out[1] = bits(__hmul2(a, b));
    out[2] = bits(__hfma2(a, b, a));
    out[3] = bits(__hmax2(a, b)) ^ bits(__hmin2(a, b));
    out[4] = bits(__hgt2(a, b)) + __hblt2(a, b);
    out[5] = __float_as_uint(__low2float(a) + __high2float(b));
    out[6] = __bfloat162int_rz(__low2bfloat16(a)) + (__hgt(__low2bfloat16(a), __low2bfloat16(b)) ? 1000 : 0);
    out[7] = bits(__hsub2(__hneg2(a), __habs2(b)));
}
