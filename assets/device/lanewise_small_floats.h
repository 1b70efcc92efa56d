// What half and bfloat16 have in common: a type of 16 bits, one of two such, their arithmetic,
// comparisons and conversions. Read once by each of cuda_fp16.h and cuda_bf16.h, which say how the
// type is called (__LW_H, __LW_H2, __LW_PTX, …) and undefined again at the end.

struct __LW_H;
struct __LW_H2;

struct __LW_H {
    unsigned short __x;

    __LW_H() = default;
    __LW_BOTH_MEMBER __LW_H(__LW_RAW raw) : __x(raw.x) {}
#define __LW_CONVERTS(T) \
    __LW_MEMBER __LW_H(T v) : __x(__LW_FROM(rn)(v)) {} \
    __LW_MEMBER __LW_H& operator=(T v) { return __x = __LW_FROM(rn)(v), *this; }
    __LW_CONVERTS(float)
    __LW_CONVERTS(double)
    __LW_CONVERTS(short)
    __LW_CONVERTS(unsigned short)
    __LW_CONVERTS(int)
    __LW_CONVERTS(unsigned)
    __LW_CONVERTS(long)
    __LW_CONVERTS(unsigned long)
    __LW_CONVERTS(long long)
    __LW_CONVERTS(unsigned long long)
#undef __LW_CONVERTS
    __LW_MEMBER operator __LW_RAW() const { return __LW_RAW{__x}; }
    __LW_MEMBER operator float() const { return __LW_TO_FLOAT(__x); }
    __LW_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
#define __LW_CONVERTS(T, small) \
    __LW_MEMBER operator T() const { return (T)(small)__LW_TO_FLOAT(__x); }
    __LW_CONVERTS(signed char, int)
    __LW_CONVERTS(unsigned char, int)
    __LW_CONVERTS(char, int)
    __LW_CONVERTS(short, int)
    __LW_CONVERTS(unsigned short, int)
    __LW_CONVERTS(int, int)
    __LW_CONVERTS(unsigned, unsigned)
    __LW_CONVERTS(long, long)
    __LW_CONVERTS(unsigned long, unsigned long)
    __LW_CONVERTS(long long, long long)
    __LW_CONVERTS(unsigned long long, unsigned long long)
#undef __LW_CONVERTS
};

struct __align__(4) __LW_H2 {
    __LW_H x, y;

    __LW_H2() = default;
    __LW_MEMBER __LW_H2(__LW_H a, __LW_H b) : x(a), y(b) {}
    __LW_MEMBER __LW_H2(__LW_RAW2 raw) : x(__LW_RAW{raw.x}), y(__LW_RAW{raw.y}) {}
    __LW_MEMBER operator __LW_RAW2() const { return __LW_RAW2{x.__x, y.__x}; }
};

// ---- one instruction, of one and of two
#define __LW_BITS(v) __builtin_bit_cast(unsigned, v)
#define __LW_ARITHMETIC1(name, ptx)                                                        \
    __LW __LW_H name(__LW_H a) {                                                           \
        asm(ptx __LW_PTX " %0, %1;" : "=h"(a.__x) : "h"(a.__x));                           \
        return a;                                                                          \
    }                                                                                      \
    __LW __LW_H2 name##2(__LW_H2 a) {                                                      \
        unsigned r;                                                                        \
        asm(ptx __LW_PTX "x2 %0, %1;" : "=r"(r) : "r"(__LW_BITS(a)));                      \
        return __builtin_bit_cast(__LW_H2, r);                                             \
    }
#define __LW_ARITHMETIC2(name, name2, ptx)                                                 \
    __LW __LW_H name(__LW_H a, __LW_H b) {                                                 \
        __LW_H r;                                                                          \
        asm(ptx __LW_PTX " %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x));           \
        return r;                                                                          \
    }                                                                                      \
    __LW __LW_H2 name2(__LW_H2 a, __LW_H2 b) {                                             \
        unsigned r;                                                                        \
        asm(ptx __LW_PTX "x2 %0, %1, %2;" : "=r"(r) : "r"(__LW_BITS(a)), "r"(__LW_BITS(b)));  \
        return __builtin_bit_cast(__LW_H2, r);                                             \
    }
#define __LW_ARITHMETIC3(name, name2, ptx)                                                 \
    __LW __LW_H name(__LW_H a, __LW_H b, __LW_H c) {                                       \
        __LW_H r;                                                                          \
        asm(ptx __LW_PTX " %0, %1, %2, %3;"                                                \
            : "=h"(r.__x)                                                                  \
            : "h"(a.__x), "h"(b.__x), "h"(c.__x));                                         \
        return r;                                                                          \
    }                                                                                      \
    __LW __LW_H2 name2(__LW_H2 a, __LW_H2 b, __LW_H2 c) {                                  \
        unsigned r;                                                                        \
        asm(ptx __LW_PTX "x2 %0, %1, %2, %3;"                                              \
            : "=r"(r)                                                                      \
            : "r"(__LW_BITS(a)), "r"(__LW_BITS(b)), "r"(__LW_BITS(c)));                    \
        return __builtin_bit_cast(__LW_H2, r);                                             \
    }
// In float, rounded: where there is no instruction.
#define __LW_IN_FLOAT2(name, name2, expression)                                            \
    __LW __LW_H name(__LW_H p, __LW_H q) {                                                 \
        float a = p, b = q;                                                                \
        return __LW_H(expression);                                                         \
    }                                                                                      \
    __LW __LW_H2 name2(__LW_H2 p, __LW_H2 q) { return __LW_H2(name(p.x, q.x), name(p.y, q.y)); }
#define __LW_IN_FLOAT3(name, name2, expression)                                            \
    __LW __LW_H name(__LW_H p, __LW_H q, __LW_H r) {                                       \
        float a = p, b = q, c = r;                                                         \
        return __LW_H(expression);                                                         \
    }                                                                                      \
    __LW __LW_H2 name2(__LW_H2 p, __LW_H2 q, __LW_H2 r) {                                  \
        return __LW_H2(name(p.x, q.x, r.x), name(p.y, q.y, r.y));                          \
    }

#if __LW_HAS_SUM
__LW_ARITHMETIC2(__hadd, __hadd2, "add.")
__LW_ARITHMETIC2(__hsub, __hsub2, "sub.")
__LW_ARITHMETIC2(__hmul, __hmul2, "mul.")
__LW_ARITHMETIC2(__hadd_rn, __hadd2_rn, "add.rn.")
__LW_ARITHMETIC2(__hsub_rn, __hsub2_rn, "sub.rn.")
__LW_ARITHMETIC2(__hmul_rn, __hmul2_rn, "mul.rn.")
#else
__LW_IN_FLOAT2(__hadd, __hadd2, __fadd_rn(a, b))
__LW_IN_FLOAT2(__hsub, __hsub2, __fsub_rn(a, b))
__LW_IN_FLOAT2(__hmul, __hmul2, __fmul_rn(a, b))
__LW_IN_FLOAT2(__hadd_rn, __hadd2_rn, __fadd_rn(a, b))
__LW_IN_FLOAT2(__hsub_rn, __hsub2_rn, __fsub_rn(a, b))
__LW_IN_FLOAT2(__hmul_rn, __hmul2_rn, __fmul_rn(a, b))
#endif
#if __LW_HAS_SAT
__LW_ARITHMETIC2(__hadd_sat, __hadd2_sat, "add.sat.")
__LW_ARITHMETIC2(__hsub_sat, __hsub2_sat, "sub.sat.")
__LW_ARITHMETIC2(__hmul_sat, __hmul2_sat, "mul.sat.")
__LW_ARITHMETIC3(__hfma_sat, __hfma2_sat, "fma.rn.sat.")
#else
__LW_IN_FLOAT2(__hadd_sat, __hadd2_sat, __saturatef(a + b))
__LW_IN_FLOAT2(__hsub_sat, __hsub2_sat, __saturatef(a - b))
__LW_IN_FLOAT2(__hmul_sat, __hmul2_sat, __saturatef(a * b))
__LW_IN_FLOAT3(__hfma_sat, __hfma2_sat, __saturatef(fmaf(a, b, c)))
#endif
#if __CUDA_ARCH__ >= 800
__LW_ARITHMETIC1(__hneg, "neg.")
__LW_ARITHMETIC1(__habs, "abs.")
__LW_ARITHMETIC3(__hfma, __hfma2, "fma.rn.")
__LW_ARITHMETIC3(__hfma_relu, __hfma2_relu, "fma.rn.relu.")
__LW_ARITHMETIC2(__hmin, __hmin2, "min.")
__LW_ARITHMETIC2(__hmax, __hmax2, "max.")
__LW_ARITHMETIC2(__hmin_nan, __hmin2_nan, "min.NaN.")
__LW_ARITHMETIC2(__hmax_nan, __hmax2_nan, "max.NaN.")
#else
__LW __LW_H __hneg(__LW_H a) { return __LW_H(__LW_RAW{(unsigned short)(a.__x ^ 0x8000)}); }
__LW __LW_H __habs(__LW_H a) { return __LW_H(__LW_RAW{(unsigned short)(a.__x & 0x7fff)}); }
__LW __LW_H2 __hneg2(__LW_H2 a) { return __LW_H2(__hneg(a.x), __hneg(a.y)); }
__LW __LW_H2 __habs2(__LW_H2 a) { return __LW_H2(__habs(a.x), __habs(a.y)); }
#if __LW_HAS_SUM
__LW_ARITHMETIC3(__hfma, __hfma2, "fma.rn.")
#else
__LW_IN_FLOAT3(__hfma, __hfma2, fmaf(a, b, c))
#endif
__LW_IN_FLOAT3(__hfma_relu, __hfma2_relu, fmaxf(fmaf(a, b, c), 0))
__LW_IN_FLOAT2(__hmin, __hmin2, fminf(a, b))
__LW_IN_FLOAT2(__hmax, __hmax2, fmaxf(a, b))
__LW_IN_FLOAT2(__hmin_nan, __hmin2_nan, isnan(a) || isnan(b) ? NAN : fminf(a, b))
__LW_IN_FLOAT2(__hmax_nan, __hmax2_nan, isnan(a) || isnan(b) ? NAN : fmaxf(a, b))
#endif
__LW_IN_FLOAT2(__hdiv, __h2div, a / b)
__LW __LW_H2 __hcmadd(__LW_H2 a, __LW_H2 b, __LW_H2 c) {  // complex: a * b + c
    return __LW_H2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                   __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

// ---- comparisons; …u: true where one is no number; of two: 1 or 0, a mask, or whether both hold
__LW bool __hisnan(__LW_H a) { return isnan((float)a); }
__LW int __hisinf(__LW_H a) { return isinf((float)a) ? ((a.__x & 0x8000) ? -1 : 1) : 0; }
__LW __LW_H2 __hisnan2(__LW_H2 a) { return __LW_H2(__LW_H((int)__hisnan(a.x)), __LW_H((int)__hisnan(a.y))); }
#define __LW_COMPARED(name, expression)                                                    \
    __LW bool __h##name(__LW_H p, __LW_H q) {                                              \
        float a = p, b = q;                                                                \
        return expression;                                                                 \
    }                                                                                      \
    __LW __LW_H2 __h##name##2(__LW_H2 a, __LW_H2 b) {                                      \
        return __LW_H2(__LW_H((int)__h##name(a.x, b.x)), __LW_H((int)__h##name(a.y, b.y)));\
    }                                                                                      \
    __LW unsigned __h##name##2_mask(__LW_H2 a, __LW_H2 b) {                                \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
    }                                                                                      \
    __LW bool __hb##name##2(__LW_H2 a, __LW_H2 b) {                                        \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                 \
    }
__LW_COMPARED(eq, a == b)
__LW_COMPARED(ne, a < b || a > b)
__LW_COMPARED(lt, a < b)
__LW_COMPARED(le, a <= b)
__LW_COMPARED(gt, a > b)
__LW_COMPARED(ge, a >= b)
__LW_COMPARED(equ, !(a < b || a > b))
__LW_COMPARED(neu, a != b)
__LW_COMPARED(ltu, !(a >= b))
__LW_COMPARED(leu, !(a > b))
__LW_COMPARED(gtu, !(a <= b))
__LW_COMPARED(geu, !(a < b))
#undef __LW_COMPARED

// ---- operators
#define __LW_OPERATORS(T, op, f)                                                           \
    __LW T operator op(const T& a, const T& b) { return f(a, b); }                         \
    __LW T& operator op##=(T& a, const T& b) { return a = f(a, b); }
__LW_OPERATORS(__LW_H, +, __hadd)
__LW_OPERATORS(__LW_H, -, __hsub)
__LW_OPERATORS(__LW_H, *, __hmul)
__LW_OPERATORS(__LW_H, /, __hdiv)
__LW_OPERATORS(__LW_H2, +, __hadd2)
__LW_OPERATORS(__LW_H2, -, __hsub2)
__LW_OPERATORS(__LW_H2, *, __hmul2)
__LW_OPERATORS(__LW_H2, /, __h2div)
#undef __LW_OPERATORS
#define __LW_OPERATORS(op, f, f2)                                                          \
    __LW bool operator op(const __LW_H& a, const __LW_H& b) { return f(a, b); }            \
    __LW bool operator op(const __LW_H2& a, const __LW_H2& b) { return f2(a, b); }
__LW_OPERATORS(==, __heq, __hbeq2)
__LW_OPERATORS(!=, __hneu, __hbneu2)
__LW_OPERATORS(<, __hlt, __hblt2)
__LW_OPERATORS(<=, __hle, __hble2)
__LW_OPERATORS(>, __hgt, __hbgt2)
__LW_OPERATORS(>=, __hge, __hbge2)
#undef __LW_OPERATORS
__LW __LW_H operator-(const __LW_H& a) { return __hneg(a); }
__LW __LW_H operator+(const __LW_H& a) { return a; }
__LW __LW_H2 operator-(const __LW_H2& a) { return __hneg2(a); }
__LW __LW_H2 operator+(const __LW_H2& a) { return a; }
__LW __LW_H& operator++(__LW_H& a) { return a = __hadd(a, __LW_H(1)); }
__LW __LW_H& operator--(__LW_H& a) { return a = __hsub(a, __LW_H(1)); }
__LW __LW_H operator++(__LW_H& a, int) {
    __LW_H was = a;
    ++a;
    return was;
}
__LW __LW_H operator--(__LW_H& a, int) {
    __LW_H was = a;
    --a;
    return was;
}

// ---- functions, in float
#define __LW_FUNCTION(name, expression)                                                    \
    __LW __LW_H h##name(__LW_H v) {                                                        \
        float a = v;                                                                       \
        return __LW_H((float)(expression));                                                \
    }                                                                                      \
    __LW __LW_H2 h2##name(__LW_H2 v) { return __LW_H2(h##name(v.x), h##name(v.y)); }
__LW_FUNCTION(sqrt, sqrtf(a))
__LW_FUNCTION(rsqrt, rsqrtf(a))
__LW_FUNCTION(rcp, 1 / a)
__LW_FUNCTION(exp, expf(a))
__LW_FUNCTION(exp2, exp2f(a))
__LW_FUNCTION(exp10, exp10f(a))
__LW_FUNCTION(log, logf(a))
__LW_FUNCTION(log2, log2f(a))
__LW_FUNCTION(log10, log10f(a))
__LW_FUNCTION(sin, sinf(a))
__LW_FUNCTION(cos, cosf(a))
__LW_FUNCTION(tanh, tanhf(a))
__LW_FUNCTION(floor, floorf(a))
__LW_FUNCTION(ceil, ceilf(a))
__LW_FUNCTION(trunc, truncf(a))
__LW_FUNCTION(rint, rintf(a))
#undef __LW_FUNCTION

// ---- conversions to integers (what does not fit becomes the nearest that does) and from them
#define __LW_CVT(word, T, R, mode)                                                         \
    __LW T __LW_WORD(__, 2##word##_##mode)(__LW_H v) {                                     \
        return (T)__float2##R##_##mode((float)v);                                          \
    }
#define __LW_SMALL(word, T, least, most, mode)                                             \
    __LW T __LW_WORD(__, 2##word##_##mode)(__LW_H v) {                                     \
        return (T)min(max(__float2int_##mode((float)v), least), most);                     \
    }
#define __LW_CVTS(mode)                                                                    \
    __LW_CVT(int, int, int, mode)                                                          \
    __LW_CVT(uint, unsigned, uint, mode)                                                   \
    __LW_CVT(ll, long long, ll, mode)                                                      \
    __LW_CVT(ull, unsigned long long, ull, mode)                                           \
    __LW_SMALL(short, short, -32768, 32767, mode)                                          \
    __LW_SMALL(ushort, unsigned short, 0, 65535, mode)
__LW_CVTS(rn)
__LW_CVTS(rz)
__LW_CVTS(ru)
__LW_CVTS(rd)
__LW_SMALL(char, signed char, -128, 127, rz)
__LW_SMALL(uchar, unsigned char, 0, 255, rz)
#undef __LW_CVT
#undef __LW_SMALL
#undef __LW_CVTS
#define __LW_BACK(word, T, mode)                                                           \
    __LW __LW_H __LW_WORD(__##word##2, _##mode)(T v) { return __LW_H(__LW_RAW{__LW_FROM(mode)(v)}); }
#define __LW_BACKS(mode)                                                                   \
    __LW_BACK(float, float, mode)                                                          \
    __LW_BACK(int, int, mode)                                                              \
    __LW_BACK(uint, unsigned, mode)                                                        \
    __LW_BACK(short, short, mode)                                                          \
    __LW_BACK(ushort, unsigned short, mode)                                                \
    __LW_BACK(ll, long long, mode)                                                         \
    __LW_BACK(ull, unsigned long long, mode)
__LW_BACKS(rn)
__LW_BACKS(rz)
__LW_BACKS(ru)
__LW_BACKS(rd)
#undef __LW_BACK
#undef __LW_BACKS
__LW float __LW_WORD(__, 2float)(__LW_H v) { return (float)v; }
__LW float __low2float(__LW_H2 v) { return (float)v.x; }
__LW float __high2float(__LW_H2 v) { return (float)v.y; }
__LW __LW_H2 __lowhigh2highlow(__LW_H2 v) { return __LW_H2(v.y, v.x); }

// ---- between lanes, and in memory
__LW_SHUFFLES_OF(__LW_H)
__LW_SHUFFLES_OF(__LW_H2)
#if !defined(__LW_IS_BFLOAT16) || __CUDA_ARCH__ >= 900
__LW __LW_H atomicAdd(__LW_H* at, __LW_H by) {
    asm volatile("atom.add.noftz." __LW_PTX " %0, [%1], %2;"
                 : "=h"(by.__x)
                 : "l"(at), "h"(by.__x)
                 : "memory");
    return by;
}
__LW __LW_H2 atomicAdd(__LW_H2* at, __LW_H2 by) {
    unsigned was;
    asm volatile("atom.add.noftz." __LW_PTX "x2 %0, [%1], %2;"
                 : "=r"(was)
                 : "l"(at), "r"(__LW_BITS(by))
                 : "memory");
    return __builtin_bit_cast(__LW_H2, was);
}
#endif

#undef __LW_BITS
#undef __LW_ARITHMETIC1
#undef __LW_ARITHMETIC2
#undef __LW_ARITHMETIC3
#undef __LW_IN_FLOAT2
#undef __LW_IN_FLOAT3
#undef __LW_H
#undef __LW_H2
#undef __LW_RAW
#undef __LW_RAW2
#undef __LW_PTX
#undef __LW_WORD
#undef __LW_TO_FLOAT
#undef __LW_FROM
#undef __LW_HAS_SUM
#undef __LW_HAS_SAT
