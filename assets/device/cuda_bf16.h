// __nv_bfloat16 and __nv_bfloat162 (CUDA Math API, Bfloat16 Precision Intrinsics). What an
// architecture lacks is computed in float and rounded.
#pragma once
#pragma clang system_header
#include "lanewise_cuda.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
    unsigned short x, y;
};

namespace __lw {
__LW float bfloat16_to_float(unsigned short bits) {
    return __uint_as_float((unsigned)bits << 16);
}
#if __CUDA_ARCH__ >= 800
__LW unsigned short bfloat16_rn(float v) {
    unsigned short r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(v));
    return r;
}
#else
__LW unsigned short bfloat16_rn(float v) {
    unsigned bits = __float_as_uint(v);
    if (isnan(v)) return 0x7fff;
    return (unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
#endif
__LW unsigned short bfloat16_rz(float v) {
    return isnan(v) ? 0x7fff : (unsigned short)(__float_as_uint(v) >> 16);
}
// The next one up where something was cut off, and the sign says so.
__LW unsigned short bfloat16_away(float v, bool negative) {
    unsigned short r = bfloat16_rz(v);
    bool cut = (__float_as_uint(v) & 0xffff) && !isnan(v) && signbit(v) == negative;
    return (unsigned short)(r + cut);
}
__LW unsigned short bfloat16_ru(float v) { return bfloat16_away(v, false); }
__LW unsigned short bfloat16_rd(float v) { return bfloat16_away(v, true); }
// An integer or double as a float whose last bit is set where something was cut off: rounding that
// once more gives what rounding once would.
__LW float to_odd(double v) {
    float r = __double2float_rz(v);
    bool cut = (double)r != v && !isnan(v) && !isinf(r);
    return cut ? __uint_as_float(__float_as_uint(r) | 1) : r;
}
__LW float to_odd(long long v) {
    float r = __ll2float_rz(v);
    return (long long)r != v ? __uint_as_float(__float_as_uint(r) | 1) : r;
}
__LW float to_odd(unsigned long long v) {
    float r = __ull2float_rz(v);
    return (unsigned long long)r != v ? __uint_as_float(__float_as_uint(r) | 1) : r;
}
#define __LW_ROUNDED(mode)                                                                 \
    __LW unsigned short bfloat16_##mode(double v) { return bfloat16_##mode(to_odd(v)); }   \
    __LW unsigned short bfloat16_##mode(long long v) { return bfloat16_##mode(to_odd(v)); }\
    __LW unsigned short bfloat16_##mode(unsigned long long v) {                            \
        return bfloat16_##mode(to_odd(v));                                                 \
    }                                                                                      \
    __LW unsigned short bfloat16_##mode(int v) { return bfloat16_##mode((long long)v); }   \
    __LW unsigned short bfloat16_##mode(unsigned v) { return bfloat16_##mode((long long)v); } \
    __LW unsigned short bfloat16_##mode(short v) { return bfloat16_##mode((float)v); }     \
    __LW unsigned short bfloat16_##mode(unsigned short v) { return bfloat16_##mode((float)v); } \
    __LW unsigned short bfloat16_##mode(long v) { return bfloat16_##mode((long long)v); }  \
    __LW unsigned short bfloat16_##mode(unsigned long v) {                                 \
        return bfloat16_##mode((unsigned long long)v);                                     \
    }
__LW_ROUNDED(rn)
__LW_ROUNDED(rz)
__LW_ROUNDED(ru)
__LW_ROUNDED(rd)
#undef __LW_ROUNDED
}  // namespace __lw

#define __LW_H __nv_bfloat16
#define __LW_H2 __nv_bfloat162
#define __LW_RAW __nv_bfloat16_raw
#define __LW_RAW2 __nv_bfloat162_raw
#define __LW_PTX "bf16"
#define __LW_WORD(before, after) before##bfloat16##after
#define __LW_TO_FLOAT ::__lw::bfloat16_to_float
#define __LW_FROM(mode) ::__lw::bfloat16_##mode
#define __LW_HAS_SUM (__CUDA_ARCH__ >= 900)
#define __LW_HAS_SAT 0
#define __LW_IS_BFLOAT16
#include "lanewise_small_floats.h"
#undef __LW_IS_BFLOAT16

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__LW __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) {
    return __nv_bfloat16(__nv_bfloat16_raw{v});
}
__LW __nv_bfloat16 __short_as_bfloat16(short v) { return __ushort_as_bfloat16((unsigned short)v); }
__LW unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return __nv_bfloat16_raw(v).x; }
__LW short __bfloat16_as_short(__nv_bfloat16 v) { return (short)__nv_bfloat16_raw(v).x; }
__LW __nv_bfloat16 __float2bfloat16(float v) { return __float2bfloat16_rn(v); }
__LW __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
__LW __nv_bfloat16 __int2bfloat16(int v) { return __nv_bfloat16(v); }
__LW __nv_bfloat162 __float2bfloat162_rn(float v) {
    return __nv_bfloat162(__nv_bfloat16(v), __nv_bfloat16(v));
}
__LW __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
__LW __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
__LW float2 __bfloat1622float2(__nv_bfloat162 v) { return float2{(float)v.x, (float)v.y}; }
__LW __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
__LW __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return __nv_bfloat162(v, v); }
__LW __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
__LW __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
__LW __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
__LW __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
__LW __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
__LW __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.x, b.x);
}
__LW __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __nv_bfloat162(a.y, b.y);
}
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
