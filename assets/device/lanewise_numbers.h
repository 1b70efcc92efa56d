// Integers, bits, conversions and arithmetic with a rounding of its own (CUDA Math API, sections
// Integer Intrinsics, Type Casting Intrinsics, Single and Double Precision Intrinsics, SIMD
// Intrinsics): one PTX instruction each, or a few lines.
#pragma once

// ---- bits
__LW int __clz(int v) { return v ? __builtin_clz(v) : 32; }
__LW int __clzll(long long v) { return v ? __builtin_clzll(v) : 64; }
__LW int __ffs(int v) { return __builtin_ffs(v); }
__LW int __ffsll(long long v) { return __builtin_ffsll(v); }
__LW int __popc(unsigned v) { return __builtin_popcount(v); }
__LW int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
__LW unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
__LW unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
__LW unsigned __byte_perm(unsigned a, unsigned b, unsigned s) { return __nvvm_prmt(a, b, s); }
#define __LW_FUNNEL(name, ptx)                                                             \
    __LW unsigned name(unsigned low, unsigned high, unsigned by) {                         \
        unsigned r;                                                                        \
        asm("shf." ptx ".b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(by));   \
        return r;                                                                          \
    }
__LW_FUNNEL(__funnelshift_l, "l.wrap")
__LW_FUNNEL(__funnelshift_lc, "l.clamp")
__LW_FUNNEL(__funnelshift_r, "r.wrap")
__LW_FUNNEL(__funnelshift_rc, "r.clamp")
#undef __LW_FUNNEL

// ---- integers
__LW int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__LW unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
__LW long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
__LW unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
__LW int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
__LW unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
__LW int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__LW int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__LW unsigned __uhadd(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
__LW unsigned __urhadd(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
#define __LW_THREE(name, R, A, B, C, ptx)                                                  \
    __LW R name(A a, B b, C c) {                                                           \
        R r;                                                                               \
        asm(ptx " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                    \
        return r;                                                                          \
    }
__LW_THREE(__sad, unsigned, int, int, unsigned, "sad.s32")
__LW_THREE(__usad, unsigned, unsigned, unsigned, unsigned, "sad.u32")
__LW_THREE(__dp4a, int, int, int, int, "dp4a.s32.s32")
__LW_THREE(__dp4a, unsigned, unsigned, unsigned, unsigned, "dp4a.u32.u32")
__LW_THREE(__dp2a_lo, int, int, int, int, "dp2a.lo.s32.s32")
__LW_THREE(__dp2a_lo, unsigned, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
__LW_THREE(__dp2a_hi, int, int, int, int, "dp2a.hi.s32.s32")
__LW_THREE(__dp2a_hi, unsigned, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
__LW int __dp4a(char4 a, char4 b, int c) {
    return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__LW unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
__LW int __dp2a_lo(short2 a, char4 b, int c) {
    return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__LW int __dp2a_hi(short2 a, char4 b, int c) {
    return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}

// ---- the same bits as another type
__LW int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
__LW unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
__LW float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
__LW float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
__LW long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
__LW double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
__LW int __double2hiint(double v) { return (int)(__double_as_longlong(v) >> 32); }
__LW int __double2loint(double v) { return (int)__double_as_longlong(v); }
__LW double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)high << 32 | (unsigned)low);
}

// ---- conversions: of a real to an integer, of an integer to a real, of a double to a float
#define __LW_ONE(name, R, A, ptx, to, from)                                                 \
    __LW R name(A v) {                                                                     \
        R r;                                                                               \
        asm(ptx " %0, %1;" : "=" to(r) : from(v));                                         \
        return r;                                                                          \
    }
__LW_ONE(__float2int_rn, int, float, "cvt.rni.s32.f32", "r", "f")
__LW_ONE(__int2float_rn, float, int, "cvt.rn.f32.s32", "f", "r")
__LW_ONE(__float2int_rz, int, float, "cvt.rzi.s32.f32", "r", "f")
__LW_ONE(__int2float_rz, float, int, "cvt.rz.f32.s32", "f", "r")
__LW_ONE(__float2int_ru, int, float, "cvt.rpi.s32.f32", "r", "f")
__LW_ONE(__int2float_ru, float, int, "cvt.rp.f32.s32", "f", "r")
__LW_ONE(__float2int_rd, int, float, "cvt.rmi.s32.f32", "r", "f")
__LW_ONE(__int2float_rd, float, int, "cvt.rm.f32.s32", "f", "r")
__LW_ONE(__float2uint_rn, unsigned, float, "cvt.rni.u32.f32", "r", "f")
__LW_ONE(__uint2float_rn, float, unsigned, "cvt.rn.f32.u32", "f", "r")
__LW_ONE(__float2uint_rz, unsigned, float, "cvt.rzi.u32.f32", "r", "f")
__LW_ONE(__uint2float_rz, float, unsigned, "cvt.rz.f32.u32", "f", "r")
__LW_ONE(__float2uint_ru, unsigned, float, "cvt.rpi.u32.f32", "r", "f")
__LW_ONE(__uint2float_ru, float, unsigned, "cvt.rp.f32.u32", "f", "r")
__LW_ONE(__float2uint_rd, unsigned, float, "cvt.rmi.u32.f32", "r", "f")
__LW_ONE(__uint2float_rd, float, unsigned, "cvt.rm.f32.u32", "f", "r")
__LW_ONE(__float2ll_rn, long long, float, "cvt.rni.s64.f32", "l", "f")
__LW_ONE(__ll2float_rn, float, long long, "cvt.rn.f32.s64", "f", "l")
__LW_ONE(__float2ll_rz, long long, float, "cvt.rzi.s64.f32", "l", "f")
__LW_ONE(__ll2float_rz, float, long long, "cvt.rz.f32.s64", "f", "l")
__LW_ONE(__float2ll_ru, long long, float, "cvt.rpi.s64.f32", "l", "f")
__LW_ONE(__ll2float_ru, float, long long, "cvt.rp.f32.s64", "f", "l")
__LW_ONE(__float2ll_rd, long long, float, "cvt.rmi.s64.f32", "l", "f")
__LW_ONE(__ll2float_rd, float, long long, "cvt.rm.f32.s64", "f", "l")
__LW_ONE(__float2ull_rn, unsigned long long, float, "cvt.rni.u64.f32", "l", "f")
__LW_ONE(__ull2float_rn, float, unsigned long long, "cvt.rn.f32.u64", "f", "l")
__LW_ONE(__float2ull_rz, unsigned long long, float, "cvt.rzi.u64.f32", "l", "f")
__LW_ONE(__ull2float_rz, float, unsigned long long, "cvt.rz.f32.u64", "f", "l")
__LW_ONE(__float2ull_ru, unsigned long long, float, "cvt.rpi.u64.f32", "l", "f")
__LW_ONE(__ull2float_ru, float, unsigned long long, "cvt.rp.f32.u64", "f", "l")
__LW_ONE(__float2ull_rd, unsigned long long, float, "cvt.rmi.u64.f32", "l", "f")
__LW_ONE(__ull2float_rd, float, unsigned long long, "cvt.rm.f32.u64", "f", "l")
__LW_ONE(__double2int_rn, int, double, "cvt.rni.s32.f64", "r", "d")
__LW_ONE(__double2int_rz, int, double, "cvt.rzi.s32.f64", "r", "d")
__LW_ONE(__double2int_ru, int, double, "cvt.rpi.s32.f64", "r", "d")
__LW_ONE(__double2int_rd, int, double, "cvt.rmi.s32.f64", "r", "d")
__LW_ONE(__double2uint_rn, unsigned, double, "cvt.rni.u32.f64", "r", "d")
__LW_ONE(__double2uint_rz, unsigned, double, "cvt.rzi.u32.f64", "r", "d")
__LW_ONE(__double2uint_ru, unsigned, double, "cvt.rpi.u32.f64", "r", "d")
__LW_ONE(__double2uint_rd, unsigned, double, "cvt.rmi.u32.f64", "r", "d")
__LW_ONE(__double2ll_rn, long long, double, "cvt.rni.s64.f64", "l", "d")
__LW_ONE(__ll2double_rn, double, long long, "cvt.rn.f64.s64", "d", "l")
__LW_ONE(__double2ll_rz, long long, double, "cvt.rzi.s64.f64", "l", "d")
__LW_ONE(__ll2double_rz, double, long long, "cvt.rz.f64.s64", "d", "l")
__LW_ONE(__double2ll_ru, long long, double, "cvt.rpi.s64.f64", "l", "d")
__LW_ONE(__ll2double_ru, double, long long, "cvt.rp.f64.s64", "d", "l")
__LW_ONE(__double2ll_rd, long long, double, "cvt.rmi.s64.f64", "l", "d")
__LW_ONE(__ll2double_rd, double, long long, "cvt.rm.f64.s64", "d", "l")
__LW_ONE(__double2ull_rn, unsigned long long, double, "cvt.rni.u64.f64", "l", "d")
__LW_ONE(__ull2double_rn, double, unsigned long long, "cvt.rn.f64.u64", "d", "l")
__LW_ONE(__double2ull_rz, unsigned long long, double, "cvt.rzi.u64.f64", "l", "d")
__LW_ONE(__ull2double_rz, double, unsigned long long, "cvt.rz.f64.u64", "d", "l")
__LW_ONE(__double2ull_ru, unsigned long long, double, "cvt.rpi.u64.f64", "l", "d")
__LW_ONE(__ull2double_ru, double, unsigned long long, "cvt.rp.f64.u64", "d", "l")
__LW_ONE(__double2ull_rd, unsigned long long, double, "cvt.rmi.u64.f64", "l", "d")
__LW_ONE(__ull2double_rd, double, unsigned long long, "cvt.rm.f64.u64", "d", "l")
__LW_ONE(__double2float_rn, float, double, "cvt.rn.f32.f64", "f", "d")
__LW_ONE(__double2float_rz, float, double, "cvt.rz.f32.f64", "f", "d")
__LW_ONE(__double2float_ru, float, double, "cvt.rp.f32.f64", "f", "d")
__LW_ONE(__double2float_rd, float, double, "cvt.rm.f32.f64", "f", "d")
__LW double __int2double_rn(int v) { return v; }
__LW double __uint2double_rn(unsigned v) { return v; }

// ---- arithmetic, rounded to the nearest, to zero, up, down
#define __LW_TWO(name, T, ptx, c)                                                           \
    __LW T name(T a, T b) {                                                                \
        T r;                                                                               \
        asm(ptx " %0, %1, %2;" : "=" c(r) : c(a), c(b));                                   \
        return r;                                                                          \
    }
#define __LW_FMA(name, T, ptx, c)                                                           \
    __LW T name(T a, T b, T d) {                                                           \
        T r;                                                                               \
        asm(ptx " %0, %1, %2, %3;" : "=" c(r) : c(a), c(b), c(d));                         \
        return r;                                                                          \
    }
__LW_TWO(__fadd_rn, float, "add.rn.f32", "f")
__LW_TWO(__fsub_rn, float, "sub.rn.f32", "f")
__LW_TWO(__fmul_rn, float, "mul.rn.f32", "f")
__LW_TWO(__fdiv_rn, float, "div.rn.f32", "f")
__LW_FMA(__fmaf_rn, float, "fma.rn.f32", "f")
__LW_ONE(__fsqrt_rn, float, float, "sqrt.rn.f32", "f", "f")
__LW_ONE(__frcp_rn, float, float, "rcp.rn.f32", "f", "f")
__LW_TWO(__dadd_rn, double, "add.rn.f64", "d")
__LW_TWO(__dsub_rn, double, "sub.rn.f64", "d")
__LW_TWO(__dmul_rn, double, "mul.rn.f64", "d")
__LW_TWO(__ddiv_rn, double, "div.rn.f64", "d")
__LW_FMA(__fma_rn, double, "fma.rn.f64", "d")
__LW_ONE(__dsqrt_rn, double, double, "sqrt.rn.f64", "d", "d")
__LW_ONE(__drcp_rn, double, double, "rcp.rn.f64", "d", "d")
__LW_TWO(__fadd_rz, float, "add.rz.f32", "f")
__LW_TWO(__fsub_rz, float, "sub.rz.f32", "f")
__LW_TWO(__fmul_rz, float, "mul.rz.f32", "f")
__LW_TWO(__fdiv_rz, float, "div.rz.f32", "f")
__LW_FMA(__fmaf_rz, float, "fma.rz.f32", "f")
__LW_ONE(__fsqrt_rz, float, float, "sqrt.rz.f32", "f", "f")
__LW_ONE(__frcp_rz, float, float, "rcp.rz.f32", "f", "f")
__LW_TWO(__dadd_rz, double, "add.rz.f64", "d")
__LW_TWO(__dsub_rz, double, "sub.rz.f64", "d")
__LW_TWO(__dmul_rz, double, "mul.rz.f64", "d")
__LW_TWO(__ddiv_rz, double, "div.rz.f64", "d")
__LW_FMA(__fma_rz, double, "fma.rz.f64", "d")
__LW_ONE(__dsqrt_rz, double, double, "sqrt.rz.f64", "d", "d")
__LW_ONE(__drcp_rz, double, double, "rcp.rz.f64", "d", "d")
__LW_TWO(__fadd_ru, float, "add.rp.f32", "f")
__LW_TWO(__fsub_ru, float, "sub.rp.f32", "f")
__LW_TWO(__fmul_ru, float, "mul.rp.f32", "f")
__LW_TWO(__fdiv_ru, float, "div.rp.f32", "f")
__LW_FMA(__fmaf_ru, float, "fma.rp.f32", "f")
__LW_ONE(__fsqrt_ru, float, float, "sqrt.rp.f32", "f", "f")
__LW_ONE(__frcp_ru, float, float, "rcp.rp.f32", "f", "f")
__LW_TWO(__dadd_ru, double, "add.rp.f64", "d")
__LW_TWO(__dsub_ru, double, "sub.rp.f64", "d")
__LW_TWO(__dmul_ru, double, "mul.rp.f64", "d")
__LW_TWO(__ddiv_ru, double, "div.rp.f64", "d")
__LW_FMA(__fma_ru, double, "fma.rp.f64", "d")
__LW_ONE(__dsqrt_ru, double, double, "sqrt.rp.f64", "d", "d")
__LW_ONE(__drcp_ru, double, double, "rcp.rp.f64", "d", "d")
__LW_TWO(__fadd_rd, float, "add.rm.f32", "f")
__LW_TWO(__fsub_rd, float, "sub.rm.f32", "f")
__LW_TWO(__fmul_rd, float, "mul.rm.f32", "f")
__LW_TWO(__fdiv_rd, float, "div.rm.f32", "f")
__LW_FMA(__fmaf_rd, float, "fma.rm.f32", "f")
__LW_ONE(__fsqrt_rd, float, float, "sqrt.rm.f32", "f", "f")
__LW_ONE(__frcp_rd, float, float, "rcp.rm.f32", "f", "f")
__LW_TWO(__dadd_rd, double, "add.rm.f64", "d")
__LW_TWO(__dsub_rd, double, "sub.rm.f64", "d")
__LW_TWO(__dmul_rd, double, "mul.rm.f64", "d")
__LW_TWO(__ddiv_rd, double, "div.rm.f64", "d")
__LW_FMA(__fma_rd, double, "fma.rm.f64", "d")
__LW_ONE(__dsqrt_rd, double, double, "sqrt.rm.f64", "d", "d")
__LW_ONE(__drcp_rd, double, double, "rcp.rm.f64", "d", "d")

// ---- two 16-bit or four 8-bit numbers in one word
namespace __lw {
// f(a, b) of each pair of parts; T says how wide they are and whether they have a sign.
template <class T, class F>
__LW unsigned each(unsigned a, unsigned b, F f) {
    unsigned r = 0;
    constexpr int bits = 8 * sizeof(T);
#pragma unroll
    for (int i = 0; i < 32; i += bits)
        r |= ((unsigned)f((int)(T)(a >> i), (int)(T)(b >> i)) & ((1u << bits) - 1)) << i;
    return r;
}
template <class T>
__LW int within(int v) {  // saturated
    constexpr int most = T(-1) < T(0) ? (1 << (8 * sizeof(T) - 1)) - 1 : (1 << 8 * sizeof(T)) - 1;
    constexpr int least = T(-1) < T(0) ? -most - 1 : 0;
    return v < least ? least : v > most ? most : v;
}
}  // namespace __lw
#define __LW_SIMD2(name, T, expression)                                                     \
    __LW unsigned name(unsigned a, unsigned b) {                                           \
        return __lw::each<T>(a, b, [](int x, int y) __LW_NODEBUG { return expression; });  \
    }
#define __LW_SIMD1(name, T, expression)                                                     \
    __LW unsigned name(unsigned a) {                                                       \
        return __lw::each<T>(a, 0, [](int x, int) __LW_NODEBUG { return expression; });    \
    }
__LW_SIMD2(__vadd2, unsigned short, x + y)
__LW_SIMD2(__vsub2, unsigned short, x - y)
__LW_SIMD2(__vaddss2, short, __lw::within<short>(x + y))
__LW_SIMD2(__vaddus2, unsigned short, __lw::within<unsigned short>(x + y))
__LW_SIMD2(__vsubss2, short, __lw::within<short>(x - y))
__LW_SIMD2(__vsubus2, unsigned short, __lw::within<unsigned short>(x - y))
__LW_SIMD2(__vabsdiffs2, short, x > y ? x - y : y - x)
__LW_SIMD2(__vabsdiffu2, unsigned short, x > y ? x - y : y - x)
__LW_SIMD2(__vavgs2, short, (x + y + (x + y >= 0)) >> 1)
__LW_SIMD2(__vavgu2, unsigned short, (x + y + 1) >> 1)
__LW_SIMD2(__vhaddu2, unsigned short, (x + y) >> 1)
__LW_SIMD2(__vmaxs2, short, x > y ? x : y)
__LW_SIMD2(__vmaxu2, unsigned short, x > y ? x : y)
__LW_SIMD2(__vmins2, short, x < y ? x : y)
__LW_SIMD2(__vminu2, unsigned short, x < y ? x : y)
__LW_SIMD2(__vcmpeq2, unsigned short, -(x == y))
__LW_SIMD2(__vseteq2, unsigned short, x == y)
__LW_SIMD2(__vcmpne2, unsigned short, -(x != y))
__LW_SIMD2(__vsetne2, unsigned short, x != y)
__LW_SIMD2(__vcmpgts2, short, -(x > y))
__LW_SIMD2(__vsetgts2, short, x > y)
__LW_SIMD2(__vcmpgtu2, unsigned short, -(x > y))
__LW_SIMD2(__vsetgtu2, unsigned short, x > y)
__LW_SIMD2(__vcmpges2, short, -(x >= y))
__LW_SIMD2(__vsetges2, short, x >= y)
__LW_SIMD2(__vcmpgeu2, unsigned short, -(x >= y))
__LW_SIMD2(__vsetgeu2, unsigned short, x >= y)
__LW_SIMD2(__vcmplts2, short, -(x < y))
__LW_SIMD2(__vsetlts2, short, x < y)
__LW_SIMD2(__vcmpltu2, unsigned short, -(x < y))
__LW_SIMD2(__vsetltu2, unsigned short, x < y)
__LW_SIMD2(__vcmples2, short, -(x <= y))
__LW_SIMD2(__vsetles2, short, x <= y)
__LW_SIMD2(__vcmpleu2, unsigned short, -(x <= y))
__LW_SIMD2(__vsetleu2, unsigned short, x <= y)
__LW_SIMD1(__vneg2, unsigned short, -x)
__LW_SIMD1(__vnegss2, short, __lw::within<short>(-x))
__LW_SIMD1(__vabs2, short, x < 0 ? -x : x)
__LW_SIMD1(__vabsss2, short, __lw::within<short>(x < 0 ? -x : x))
__LW unsigned __vsads2(unsigned a, unsigned b) {
    unsigned r = 0;
    __lw::each<short>(a, b, [&](int x, int y) __LW_NODEBUG { return r += x > y ? x - y : y - x; });
    return r;
}
__LW unsigned __vsadu2(unsigned a, unsigned b) {
    unsigned r = 0;
    __lw::each<unsigned short>(a, b, [&](int x, int y) __LW_NODEBUG { return r += x > y ? x - y : y - x; });
    return r;
}
__LW_SIMD2(__vadd4, unsigned char, x + y)
__LW_SIMD2(__vsub4, unsigned char, x - y)
__LW_SIMD2(__vaddss4, signed char, __lw::within<signed char>(x + y))
__LW_SIMD2(__vaddus4, unsigned char, __lw::within<unsigned char>(x + y))
__LW_SIMD2(__vsubss4, signed char, __lw::within<signed char>(x - y))
__LW_SIMD2(__vsubus4, unsigned char, __lw::within<unsigned char>(x - y))
__LW_SIMD2(__vabsdiffs4, signed char, x > y ? x - y : y - x)
__LW_SIMD2(__vabsdiffu4, unsigned char, x > y ? x - y : y - x)
__LW_SIMD2(__vavgs4, signed char, (x + y + (x + y >= 0)) >> 1)
__LW_SIMD2(__vavgu4, unsigned char, (x + y + 1) >> 1)
__LW_SIMD2(__vhaddu4, unsigned char, (x + y) >> 1)
__LW_SIMD2(__vmaxs4, signed char, x > y ? x : y)
__LW_SIMD2(__vmaxu4, unsigned char, x > y ? x : y)
__LW_SIMD2(__vmins4, signed char, x < y ? x : y)
__LW_SIMD2(__vminu4, unsigned char, x < y ? x : y)
__LW_SIMD2(__vcmpeq4, unsigned char, -(x == y))
__LW_SIMD2(__vseteq4, unsigned char, x == y)
__LW_SIMD2(__vcmpne4, unsigned char, -(x != y))
__LW_SIMD2(__vsetne4, unsigned char, x != y)
__LW_SIMD2(__vcmpgts4, signed char, -(x > y))
__LW_SIMD2(__vsetgts4, signed char, x > y)
__LW_SIMD2(__vcmpgtu4, unsigned char, -(x > y))
__LW_SIMD2(__vsetgtu4, unsigned char, x > y)
__LW_SIMD2(__vcmpges4, signed char, -(x >= y))
__LW_SIMD2(__vsetges4, signed char, x >= y)
__LW_SIMD2(__vcmpgeu4, unsigned char, -(x >= y))
__LW_SIMD2(__vsetgeu4, unsigned char, x >= y)
__LW_SIMD2(__vcmplts4, signed char, -(x < y))
__LW_SIMD2(__vsetlts4, signed char, x < y)
__LW_SIMD2(__vcmpltu4, unsigned char, -(x < y))
__LW_SIMD2(__vsetltu4, unsigned char, x < y)
__LW_SIMD2(__vcmples4, signed char, -(x <= y))
__LW_SIMD2(__vsetles4, signed char, x <= y)
__LW_SIMD2(__vcmpleu4, unsigned char, -(x <= y))
__LW_SIMD2(__vsetleu4, unsigned char, x <= y)
__LW_SIMD1(__vneg4, unsigned char, -x)
__LW_SIMD1(__vnegss4, signed char, __lw::within<signed char>(-x))
__LW_SIMD1(__vabs4, signed char, x < 0 ? -x : x)
__LW_SIMD1(__vabsss4, signed char, __lw::within<signed char>(x < 0 ? -x : x))
__LW unsigned __vsads4(unsigned a, unsigned b) {
    unsigned r = 0;
    __lw::each<signed char>(a, b, [&](int x, int y) __LW_NODEBUG { return r += x > y ? x - y : y - x; });
    return r;
}
__LW unsigned __vsadu4(unsigned a, unsigned b) {
    unsigned r = 0;
    __lw::each<unsigned char>(a, b, [&](int x, int y) __LW_NODEBUG { return r += x > y ? x - y : y - x; });
    return r;
}

// The least or most of three, or of a sum and another; _relu: at least zero.
#define __LW_VI(op, suffix, T, first)                                                      \
    __LW T __vi##op##3_##suffix(T a, T b, T c) { return first(first(a, b), c); }           \
    __LW T __viadd##op##_##suffix(T a, T b, T c) { return first((T)(a + b), c); }
__LW int __lw_least(int a, int b) { return a < b ? a : b; }
__LW unsigned __lw_least(unsigned a, unsigned b) { return a < b ? a : b; }
__LW int __lw_most(int a, int b) { return a > b ? a : b; }
__LW unsigned __lw_most(unsigned a, unsigned b) { return a > b ? a : b; }
__LW_VI(max, s32, int, __lw_most)
__LW_VI(max, u32, unsigned, __lw_most)
__LW_VI(min, s32, int, __lw_least)
__LW_VI(min, u32, unsigned, __lw_least)
#define __LW_VI2(op, suffix, least)                                                        \
    __LW unsigned __vi##op##3_##suffix(unsigned a, unsigned b, unsigned c) {               \
        return least(least(a, b), c);                                                      \
    }                                                                                      \
    __LW unsigned __viadd##op##_##suffix(unsigned a, unsigned b, unsigned c) {             \
        return least(__vadd2(a, b), c);                                                    \
    }
__LW_VI2(max, s16x2, __vmaxs2)
__LW_VI2(max, u16x2, __vmaxu2)
__LW_VI2(min, s16x2, __vmins2)
__LW_VI2(min, u16x2, __vminu2)
#undef __LW_VI
#undef __LW_VI2
#undef __LW_SIMD1
#undef __LW_SIMD2
