// half and half2 (CUDA Math API, Half Precision Intrinsics): PTX's own instructions, functions like
// hsin by way of float.
#pragma once
#pragma clang system_header
#include "lanewise_cuda.h"

struct __half_raw {
    unsigned short x;
};
struct __align__(4) __half2_raw {
    unsigned short x, y;
};

namespace __lw {
__LW float half_to_float(unsigned short bits) {
    return (float)__builtin_bit_cast(_Float16, bits);
}
#define __LW_TO_HALF(name, T, ptx, from)                                                   \
    __LW unsigned short name(T v) {                                                        \
        unsigned short r;                                                                  \
        asm(ptx " %0, %1;" : "=h"(r) : from(v));                                           \
        return r;                                                                          \
    }
#define __LW_ROUNDED_TO_HALF(mode, ptx)                                                        \
    __LW_TO_HALF(half_##mode, float, "cvt." ptx ".f16.f32", "f")                         \
    __LW_TO_HALF(half_##mode, double, "cvt." ptx ".f16.f64", "d")                        \
    __LW_TO_HALF(half_##mode, short, "cvt." ptx ".f16.s16", "h")                         \
    __LW_TO_HALF(half_##mode, unsigned short, "cvt." ptx ".f16.u16", "h")                \
    __LW_TO_HALF(half_##mode, int, "cvt." ptx ".f16.s32", "r")                           \
    __LW_TO_HALF(half_##mode, unsigned, "cvt." ptx ".f16.u32", "r")                      \
    __LW_TO_HALF(half_##mode, long long, "cvt." ptx ".f16.s64", "l")                     \
    __LW_TO_HALF(half_##mode, unsigned long long, "cvt." ptx ".f16.u64", "l")            \
    __LW unsigned short half_##mode(long v) { return half_##mode((long long)v); }          \
    __LW unsigned short half_##mode(unsigned long v) {                                     \
        return half_##mode((unsigned long long)v);                                         \
    }
__LW_ROUNDED_TO_HALF(rn, "rn")
__LW_ROUNDED_TO_HALF(rz, "rz")
__LW_ROUNDED_TO_HALF(ru, "rp")
__LW_ROUNDED_TO_HALF(rd, "rm")
#undef __LW_TO_HALF
#undef __LW_ROUNDED_TO_HALF
}  // namespace __lw

#define __LW_H __half
#define __LW_H2 __half2
#define __LW_RAW __half_raw
#define __LW_RAW2 __half2_raw
#define __LW_PTX "f16"
#define __LW_WORD(before, after) before##half##after
#define __LW_TO_FLOAT ::__lw::half_to_float
#define __LW_FROM(mode) ::__lw::half_##mode
#define __LW_HAS_SUM 1
#define __LW_HAS_SAT 1
#include "lanewise_small_floats.h"

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half nv_half;
typedef __half2 nv_half2;

__LW __half __ushort_as_half(unsigned short v) { return __half(__half_raw{v}); }
__LW __half __short_as_half(short v) { return __ushort_as_half((unsigned short)v); }
__LW unsigned short __half_as_ushort(__half v) { return __half_raw(v).x; }
__LW short __half_as_short(__half v) { return (short)__half_raw(v).x; }
__LW __half __float2half(float v) { return __float2half_rn(v); }
__LW __half __double2half(double v) { return __half(v); }
__LW __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
__LW __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
__LW __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
__LW float2 __half22float2(__half2 v) { return float2{(float)v.x, (float)v.y}; }
__LW __half2 make_half2(__half a, __half b) { return __half2(a, b); }
__LW __half2 __half2half2(__half v) { return __half2(v, v); }
__LW __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
__LW __half __low2half(__half2 v) { return v.x; }
__LW __half __high2half(__half2 v) { return v.y; }
__LW __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
__LW __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
__LW __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
__LW __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
