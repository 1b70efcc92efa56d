// The functions of math.h, and the fast ones (__sinf and kin). NVIDIA's libdevice is not here: what
// PTX has is one instruction, the rest is computed by the textbook series below.
//
// Errors: functions of float and of double lie within 8 units in the last place, pow of double within
// 1e-13 of the value; tgamma and lgamma within 1e-13, absolutely so for lgamma near 1 and 2. sin, cos
// and tan hold to arguments of 2^52. asin, atan, pow, erf, gamma and other rare functions of float
// are computed in double. Not here: Bessel functions, erfinv, erfcinv, erfcx, normcdfinv, and the
// norms of more than 4 numbers.
#pragma once

#define INFINITY __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define NAN __builtin_nanf("")

// ---- what PTX has as one instruction
#define __LW_APPROX(name, ptx)                                                             \
    __LW float name(float x) {                                                             \
        float r;                                                                           \
        asm(ptx " %0, %1;" : "=f"(r) : "f"(x));                                            \
        return r;                                                                          \
    }
__LW_APPROX(__sinf, "sin.approx.f32")
__LW_APPROX(__cosf, "cos.approx.f32")
__LW_APPROX(__log2f, "lg2.approx.f32")
__LW_APPROX(__lw_exp2, "ex2.approx.f32")
__LW_APPROX(__lw_exp2_ftz, "ex2.approx.ftz.f32")
__LW_APPROX(rsqrtf, "rsqrt.approx.f32")
__LW_APPROX(__saturatef, "cvt.sat.f32.f32")
#if __CUDA_ARCH__ >= 750
__LW_APPROX(__tanhf, "tanh.approx.f32")
#endif
__LW float __expf(float x) { return __lw_exp2(x * 1.4426950408889634f); }
__LW float __exp10f(float x) { return __lw_exp2(x * 3.3219280948873623f); }
__LW float __logf(float x) { return __log2f(x) * 0.6931471805599453f; }
__LW float __log10f(float x) { return __log2f(x) * 0.30102999566398120f; }
__LW float __powf(float x, float y) { return __lw_exp2(y * __log2f(x)); }
__LW float __tanf(float x) { return __sinf(x) / __cosf(x); }
__LW void __sincosf(float x, float* s, float* c) { *s = __sinf(x), *c = __cosf(x); }
__LW float __fdividef(float a, float b) {
    float r;
    asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}
__LW float fdividef(float a, float b) { return a / b; }
__LW float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }

// ---- plain ones, of float and of double
#define __LW_PLAIN(name)                                                                   \
    __LW float name##f(float x) { return __builtin_##name##f(x); }                         \
    __LW float name(float x) { return __builtin_##name##f(x); }                            \
    __LW double name(double x) { return __builtin_##name(x); }
__LW_PLAIN(fabs)
__LW_PLAIN(floor)
__LW_PLAIN(ceil)
__LW_PLAIN(trunc)
__LW_PLAIN(sqrt)
__LW_PLAIN(rint)
__LW_PLAIN(nearbyint)
#undef __LW_PLAIN
#define __LW_PLAIN2(name)                                                                  \
    __LW float name##f(float x, float y) { return __builtin_##name##f(x, y); }             \
    __LW float name(float x, float y) { return __builtin_##name##f(x, y); }                \
    __LW double name(double x, double y) { return __builtin_##name(x, y); }
__LW_PLAIN2(fmin)
__LW_PLAIN2(fmax)
__LW_PLAIN2(copysign)
#undef __LW_PLAIN2
__LW float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__LW float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__LW double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__LW double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
__LW float rsqrt(float x) { return rsqrtf(x); }
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#define __LW_ASKED(name)                                                                   \
    __LW bool name(float x) { return __builtin_##name(x); }                                \
    __LW bool name(double x) { return __builtin_##name(x); }
__LW_ASKED(isnan)
__LW_ASKED(isinf)
__LW_ASKED(isfinite)
__LW_ASKED(signbit)
#undef __LW_ASKED
__LW int __isnanf(float x) { return __builtin_isnan(x); }
__LW int __isinff(float x) { return __builtin_isinf(x); }
__LW int __finitef(float x) { return __builtin_isfinite(x); }
__LW float nanf(const char*) { return __builtin_nanf(""); }
__LW double nan(const char*) { return __builtin_nan(""); }

// ---- smaller, larger, without a sign
#define __LW_MINMAX(R, A, B)                                                               \
    __LW_BOTH R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                        \
    __LW_BOTH R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
__LW_MINMAX(int, int, int)
__LW_MINMAX(unsigned, unsigned, unsigned)
__LW_MINMAX(unsigned, int, unsigned)
__LW_MINMAX(unsigned, unsigned, int)
__LW_MINMAX(long, long, long)
__LW_MINMAX(unsigned long, unsigned long, unsigned long)
__LW_MINMAX(unsigned long, long, unsigned long)
__LW_MINMAX(unsigned long, unsigned long, long)
__LW_MINMAX(long long, long long, long long)
__LW_MINMAX(unsigned long long, unsigned long long, unsigned long long)
__LW_MINMAX(unsigned long long, long long, unsigned long long)
__LW_MINMAX(unsigned long long, unsigned long long, long long)
#undef __LW_MINMAX
#define __LW_MINMAX(R, A, B)                                                               \
    __LW R min(A a, B b) { return fmin((R)a, (R)b); }                                      \
    __LW R max(A a, B b) { return fmax((R)a, (R)b); }
__LW_MINMAX(float, float, float)
__LW_MINMAX(double, double, double)
__LW_MINMAX(double, float, double)
__LW_MINMAX(double, double, float)
#undef __LW_MINMAX
__LW unsigned umin(unsigned a, unsigned b) { return min(a, b); }
__LW unsigned umax(unsigned a, unsigned b) { return max(a, b); }
__LW long long llmin(long long a, long long b) { return min(a, b); }
__LW long long llmax(long long a, long long b) { return max(a, b); }
__LW_BOTH int abs(int x) { return x < 0 ? -x : x; }
__LW_BOTH long abs(long x) { return x < 0 ? -x : x; }
__LW_BOTH long long abs(long long x) { return x < 0 ? -x : x; }
__LW_BOTH long labs(long x) { return x < 0 ? -x : x; }
__LW_BOTH long long llabs(long long x) { return x < 0 ? -x : x; }
__LW float abs(float x) { return fabsf(x); }
__LW double abs(double x) { return fabs(x); }

// ---- to integers, and pieces of a number
__LW double round(double x) {  // halves go away from zero
    double whole = trunc(x);
    return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : whole;
}
__LW float roundf(float x) {
    float whole = truncf(x);
    return fabsf(x - whole) >= 0.5f ? whole + copysignf(1.0f, x) : whole;
}
__LW float round(float x) { return roundf(x); }
__LW long lround(double x) { return (long)round(x); }
__LW long lroundf(float x) { return (long)roundf(x); }
__LW long long llround(double x) { return (long long)round(x); }
__LW long long llroundf(float x) { return (long long)roundf(x); }
__LW long lrint(double x) { return (long)rint(x); }
__LW long lrintf(float x) { return (long)rintf(x); }
__LW long long llrint(double x) { return (long long)rint(x); }
__LW long long llrintf(float x) { return (long long)rintf(x); }

namespace __lw {
__LW double two_to(int n) { return __hiloint2double((n + 1023) << 20, 0); }  // -1022 … 1023
__LW int exponent(double x) { return ((__double2hiint(x) >> 20) & 0x7ff) - 1023; }
// Of a positive, finite x: x = m * 2^e with m in [0.75, 1.5).
__LW double parts(double x, int& e) {
    e = 0;
    if (x < 0x1p-1022) x *= 0x1p54, e = -54;
    long long bits = __double_as_longlong(x);
    int up = (int)((bits >> 51) & 1);  // m from 1.5 on is halved
    e += (int)(bits >> 52) - 1023 + up;
    return __longlong_as_double((bits & 0xfffffffffffffll) | (long long)(1023 - up) << 52);
}
}  // namespace __lw
__LW double ldexp(double x, int n) {
    for (int i = 0; i < 2 && n > 1023; ++i) x *= 0x1p1023, n -= 1023;
    for (int i = 0; i < 2 && n < -1022; ++i) x *= 0x1p-969, n += 969;
    return x * __lw::two_to(n > 1023 ? 1023 : n < -1022 ? -1022 : n);
}
__LW float ldexpf(float x, int n) { return (float)ldexp((double)x, n); }
__LW float ldexp(float x, int n) { return ldexpf(x, n); }
__LW double scalbn(double x, int n) { return ldexp(x, n); }
__LW float scalbnf(float x, int n) { return ldexpf(x, n); }
__LW double frexp(double x, int* e) {
    *e = 0;
    if (x == 0 || !isfinite(x)) return x;
    double m = __lw::parts(fabs(x), *e);
    if (m >= 1)
        m /= 2, ++*e;
    return copysign(m, x);
}
__LW float frexpf(float x, int* e) { return (float)frexp((double)x, e); }
__LW double modf(double x, double* whole) {
    *whole = trunc(x);
    return isinf(x) ? copysign(0.0, x) : copysign(x - *whole, x);
}
__LW float modff(float x, float* whole) {
    *whole = truncf(x);
    return isinf(x) ? copysignf(0.0f, x) : copysignf(x - *whole, x);
}
__LW int ilogb(double x) {
    int e;
    frexp(x, &e);
    return e - 1;
}
__LW int ilogbf(float x) { return ilogb(x); }
__LW double logb(double x) { return ilogb(x); }
__LW float logbf(float x) { return (float)ilogb(x); }
__LW double fdim(double x, double y) { return x > y ? x - y : x <= y ? 0.0 : x + y; }
__LW float fdimf(float x, float y) { return x > y ? x - y : x <= y ? 0.0f : x + y; }

__LW double nextafter(double x, double to) {
    if (isnan(x) || isnan(to)) return x + to;
    if (x == to) return to;
    if (x == 0) return copysign(__longlong_as_double(1), to);
    long long bits = __double_as_longlong(x);
    return __longlong_as_double(bits + ((x < to) == (x > 0) ? 1 : -1));
}
__LW float nextafterf(float x, float to) {
    if (isnan(x) || isnan(to)) return x + to;
    if (x == to) return to;
    if (x == 0) return copysignf(__int_as_float(1), to);
    return __int_as_float(__float_as_int(x) + ((x < to) == (x > 0) ? 1 : -1));
}

// ---- sine and cosine: x - k * pi/2 in three parts, then the series on [-pi/4, pi/4]
namespace __lw {
__LW double quarter(double x, long long& k) {
    double turns = rint(x * 0.63661977236758134);
    k = (long long)turns;
    double r = fma(turns, -1.5707963267948966, x);
    r = fma(turns, -6.123233995736766e-17, r);
    return fma(turns, 1.4973849048591833e-33, r);
}
__LW double sine(double r) {
    double q = r * r, s = 2.8114572543455208e-15;
    s = fma(s, q, -7.6471637318198165e-13);
    s = fma(s, q, 1.6059043836821613e-10);
    s = fma(s, q, -2.5052108385441720e-08);
    s = fma(s, q, 2.7557319223985893e-06);
    s = fma(s, q, -1.9841269841269841e-04);
    s = fma(s, q, 8.3333333333333332e-03);
    s = fma(s, q, -1.6666666666666666e-01);
    return fma(s * q, r, r);
}
__LW double cosine(double r) {
    double q = r * r, s = 4.7794773323873853e-14;
    s = fma(s, q, -1.1470745597729725e-11);
    s = fma(s, q, 2.0876756987868099e-09);
    s = fma(s, q, -2.7557319223985888e-07);
    s = fma(s, q, 2.4801587301587302e-05);
    s = fma(s, q, -1.3888888888888889e-03);
    s = fma(s, q, 4.1666666666666664e-02);
    s = fma(s, q, -0.5);
    return fma(s, q, 1.0);
}
__LW float quarter(float x, int& k) {
    if (fabsf(x) > 30000.0f) {
        long long turns;
        float r = (float)quarter((double)x, turns);
        k = (int)turns;
        return r;
    }
    float turns = rintf(x * 0.636619772f);
    k = (int)turns;
    float r = fmaf(turns, -1.57079637f, x);
    r = fmaf(turns, 4.37113883e-08f, r);
    return fmaf(turns, 1.71512489e-15f, r);
}
__LW float sine(float r) {
    float q = r * r, s = 2.75573192e-06f;
    s = fmaf(s, q, -1.98412698e-04f);
    s = fmaf(s, q, 8.33333333e-03f);
    s = fmaf(s, q, -1.66666667e-01f);
    return fmaf(s * q, r, r);
}
__LW float cosine(float r) {
    float q = r * r, s = -2.75573192e-07f;
    s = fmaf(s, q, 2.48015873e-05f);
    s = fmaf(s, q, -1.38888889e-03f);
    s = fmaf(s, q, 4.16666667e-02f);
    s = fmaf(s, q, -0.5f);
    return fmaf(s, q, 1.0f);
}
}  // namespace __lw
__LW double sin(double x) {
    long long k;
    double r = __lw::quarter(x, k), s = k & 1 ? __lw::cosine(r) : __lw::sine(r);
    return x == 0 ? x : k & 2 ? -s : s;
}
__LW double cos(double x) {
    long long k;
    double r = __lw::quarter(x, k), s = k & 1 ? __lw::sine(r) : __lw::cosine(r);
    return (k + 1) & 2 ? -s : s;
}
__LW void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
__LW double tan(double x) { return sin(x) / cos(x); }
__LW float sinf(float x) {
    int k;
    float r = __lw::quarter(x, k), s = k & 1 ? __lw::cosine(r) : __lw::sine(r);
    return x == 0 ? x : k & 2 ? -s : s;
}
__LW float cosf(float x) {
    int k;
    float r = __lw::quarter(x, k), s = k & 1 ? __lw::sine(r) : __lw::cosine(r);
    return (k + 1) & 2 ? -s : s;
}
__LW void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
__LW float tanf(float x) { return sinf(x) / cosf(x); }
#define __LW_OF_PI 3.14159265358979323846
__LW double sinpi(double x) { return sin((x - 2 * rint(x / 2)) * __LW_OF_PI); }
__LW double cospi(double x) { return cos((x - 2 * rint(x / 2)) * __LW_OF_PI); }
__LW float sinpif(float x) { return (float)sinpi((double)x); }
__LW float cospif(float x) { return (float)cospi((double)x); }
__LW void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
__LW void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }

// ---- exponentials: x = n * ln 2 + r, then the series on |r| <= ln 2 / 2
namespace __lw {
__LW double exp_series(double r) {  // exp(r) - 1
    double s = 1.6059043836821613e-10;
    s = fma(s, r, 2.0876756987868099e-09);
    s = fma(s, r, 2.5052108385441720e-08);
    s = fma(s, r, 2.7557319223985888e-07);
    s = fma(s, r, 2.7557319223985893e-06);
    s = fma(s, r, 2.4801587301587302e-05);
    s = fma(s, r, 1.9841269841269841e-04);
    s = fma(s, r, 1.3888888888888889e-03);
    s = fma(s, r, 8.3333333333333332e-03);
    s = fma(s, r, 4.1666666666666664e-02);
    s = fma(s, r, 1.6666666666666666e-01);
    s = fma(s, r, 0.5);
    return fma(s * r, r, r);
}
__LW double scaled(double m, double n) {  // m * 2^n, to 0 and to infinity
    int half = (int)n / 2;
    return m * two_to(half) * two_to((int)n - half);
}
__LW double exp_of(double x, double low) {  // exp(x + low), low being far smaller than x
    if (isnan(x)) return x;
    if (x > 710) return HUGE_VAL;
    if (x < -746) return 0;
    double n = rint(x * 1.4426950408889634);
    double r = fma(n, -2.3190468138462996e-17, fma(n, -0.69314718055994529, x)) + low;
    return scaled(1 + exp_series(r), n);
}
__LW float scaled(float m, float n) {
    int half = (int)n / 2, rest = (int)n - half;
    return m * __int_as_float((half + 127) << 23) * __int_as_float((rest + 127) << 23);
}
}  // namespace __lw
__LW double exp(double x) { return __lw::exp_of(x, 0); }
__LW double exp2(double x) {
    if (isnan(x)) return x;
    if (x >= 1024) return HUGE_VAL;
    if (x < -1080) return 0;
    double n = rint(x);
    return __lw::scaled(1 + __lw::exp_series((x - n) * 0.69314718055994531), n);
}
__LW double exp10(double x) {
    double whole = x * 2.302585092994045684;
    double low = fma(x, 2.302585092994045684, -whole) + x * -2.1707562233822494e-16;
    return __lw::exp_of(whole, low);
}
__LW double expm1(double x) {
    return fabs(x) < 0.34657359 ? __lw::exp_series(x) : exp(x) - 1;
}
__LW float exp2f(float x) {
    if (x > 128) return INFINITY;
    if (x < -151) return 0;
    float n = rintf(x);
    return __lw::scaled(__lw_exp2_ftz(x - n), n);
}
__LW float expf(float x) {
    if (x > 89) return INFINITY;
    if (x < -104) return 0;
    float n = rintf(x * 1.44269504f);
    float r = fmaf(n, -1.42860677e-06f, fmaf(n, -0.693145752f, x));
    return __lw::scaled(__lw_exp2_ftz(r * 1.44269504f), n);
}
__LW float exp10f(float x) {
    if (x > 38.6f) return INFINITY;
    if (x < -45.5f) return 0;
    float n = rintf(x * 3.32192809f);
    float r = fmaf(n, -1.42860677e-06f, fmaf(n, -0.693145752f, 0.0f));  // n * ln 2, taken off below
    r = fmaf(x, 2.30258512f, r) - x * 3.19975859e-08f;
    return __lw::scaled(__lw_exp2_ftz(r * 1.44269504f), n);
}
__LW float expm1f(float x) { return (float)expm1((double)x); }

// ---- logarithms: x = m * 2^e, then the series in (m - 1) / (m + 1)
namespace __lw {
__LW double log_of_parts(double m) {
    double s = (m - 1) / (m + 1), q = s * s, t = 1.0 / 23;
    t = fma(t, q, 1.0 / 21);
    t = fma(t, q, 1.0 / 19);
    t = fma(t, q, 1.0 / 17);
    t = fma(t, q, 1.0 / 15);
    t = fma(t, q, 1.0 / 13);
    t = fma(t, q, 1.0 / 11);
    t = fma(t, q, 1.0 / 9);
    t = fma(t, q, 1.0 / 7);
    t = fma(t, q, 1.0 / 5);
    t = fma(t, q, 1.0 / 3);
    return 2 * fma(t * q, s, s);
}
__LW float log_of_parts(float m) {
    float s = (m - 1) / (m + 1), q = s * s, t = 1.0f / 11;
    t = fmaf(t, q, 1.0f / 9);
    t = fmaf(t, q, 1.0f / 7);
    t = fmaf(t, q, 1.0f / 5);
    t = fmaf(t, q, 1.0f / 3);
    return 2 * fmaf(t * q, s, s);
}
__LW float parts(float x, int& e) {
    e = 0;
    if (x < 0x1p-126f) x *= 0x1p24f, e = -24;
    int bits = __float_as_int(x), up = (bits >> 22) & 1;
    e += (bits >> 23) - 127 + up;
    return __int_as_float((bits & 0x7fffff) | (127 - up) << 23);
}
}  // namespace __lw
#define __LW_LOG(name, T, zero, result)                                                    \
    __LW T name(T x) {                                                                     \
        if (!(x > 0)) return x == 0 ? -zero : (T)NAN;                                      \
        if (isinf(x)) return x;                                                            \
        int e;                                                                             \
        T m = __lw::log_of_parts(__lw::parts(x, e));                                       \
        return result;                                                                     \
    }
__LW_LOG(log, double, HUGE_VAL, fma(e, 0.69314718055994529, fma(e, 2.3190468138462996e-17, m)))
__LW_LOG(log2, double, HUGE_VAL, fma(m, 1.4426950408889634, e))
__LW_LOG(log10, double, HUGE_VAL, fma(e, 0.30102999566398120, m * 0.43429448190325182))
__LW_LOG(logf, float, INFINITY, fmaf((float)e, 0.693147182f, fmaf((float)e, -1.90465421e-09f, m)))
__LW_LOG(log2f, float, INFINITY, fmaf(m, 1.44269504f, (float)e))
__LW_LOG(log10f, float, INFINITY, fmaf((float)e, 0.301029996f, m * 0.434294482f))
#undef __LW_LOG
__LW double log1p(double x) {
    double u = 1 + x;
    return u == 0 || !isfinite(u) ? log(u) : log(u) - ((u - 1) - x) / u;
}
__LW float log1pf(float x) { return (float)log1p((double)x); }

// ---- powers and roots
namespace __lw {
__LW double pow_of(double x, double y) {  // x > 0
    double l = log(x), p = y * l;
    return isinf(p) || isinf(l) ? exp(p) : exp_of(p, fma(y, l, -p));
}
}  // namespace __lw
__LW double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (isnan(x) || isnan(y)) return x + y;
    if (isinf(y)) {
        double a = fabs(x);
        return a == 1 ? 1 : (a > 1) == (y > 0) ? HUGE_VAL : 0;
    }
    bool whole = trunc(y) == y, odd = whole && fabs(y) < 0x1p53 && ((long long)y & 1);
    if (x == 0) {
        double zero = odd ? x : 0.0;
        return y > 0 ? zero : odd ? copysign(HUGE_VAL, x) : HUGE_VAL;
    }
    if (x < 0 && !whole && !isinf(x)) return NAN;
    double r = __lw::pow_of(fabs(x), y);
    return x < 0 && odd ? -r : r;
}
__LW double pow(double x, int n) { return pow(x, (double)n); }
__LW float powf(float x, float y) { return (float)pow((double)x, (double)y); }
__LW float pow(float x, int n) { return powf(x, (float)n); }
__LW float powif(float x, int n) { return powf(x, (float)n); }
__LW double powi(double x, int n) { return pow(x, n); }
__LW double cbrt(double x) {
    if (x == 0 || !isfinite(x)) return x;
    double a = fabs(x), r = exp(log(a) / 3);
    r -= (r - a / (r * r)) / 3;
    return copysign(r, x);
}
__LW float cbrtf(float x) { return (float)cbrt((double)x); }
__LW double rcbrt(double x) { return 1 / cbrt(x); }
__LW float rcbrtf(float x) { return (float)rcbrt((double)x); }
__LW double hypot(double x, double y) {
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    if (isinf(x) || isinf(y)) return HUGE_VAL;
    return a == 0 ? 0 : a * sqrt(1 + (b / a) * (b / a));
}
__LW float hypotf(float x, float y) { return (float)hypot((double)x, (double)y); }
__LW double rhypot(double x, double y) { return 1 / hypot(x, y); }
__LW float rhypotf(float x, float y) { return (float)rhypot((double)x, (double)y); }
__LW double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
__LW float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
__LW double norm4d(double x, double y, double z, double w) {
    return hypot(hypot(x, y), hypot(z, w));
}
__LW float norm4df(float x, float y, float z, float w) { return (float)norm4d(x, y, z, w); }
__LW double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
__LW float rnorm3df(float x, float y, float z) { return (float)rnorm3d(x, y, z); }

// ---- angles: |x| to [0, tan(pi / 12)], then the series
__LW double atan(double x) {
    double a = fabs(x), turn = 0;
    bool over = a > 1;
    if (over) a = 1 / a;
    if (a > 0.26794919243112270) {
        a = fma(a, 1.7320508075688772, -1.0) / (1.7320508075688772 + a);
        turn = 0.52359877559829887;
    }
    double q = a * a, s = -1.0 / 27;
    s = fma(s, q, 1.0 / 25);
    s = fma(s, q, -1.0 / 23);
    s = fma(s, q, 1.0 / 21);
    s = fma(s, q, -1.0 / 19);
    s = fma(s, q, 1.0 / 17);
    s = fma(s, q, -1.0 / 15);
    s = fma(s, q, 1.0 / 13);
    s = fma(s, q, -1.0 / 11);
    s = fma(s, q, 1.0 / 9);
    s = fma(s, q, -1.0 / 7);
    s = fma(s, q, 1.0 / 5);
    s = fma(s, q, -1.0 / 3);
    double r = fma(s * q, a, a) + turn;
    return copysign(over ? 1.5707963267948966 - r : r, x);
}
__LW double atan2(double y, double x) {
    if (isnan(x) || isnan(y)) return x + y;
    double r;
    if (isinf(x) && isinf(y))
        r = 0.78539816339744831;
    else
        r = y == 0 && x == 0 ? 0 : x == 0 ? 1.5707963267948966 : atan(fabs(y) / fabs(x));
    return copysign(signbit(x) ? __LW_OF_PI - r : r, y);
}
__LW double asin(double x) { return atan2(x, sqrt((1 - x) * (1 + x))); }
__LW double acos(double x) { return 2 * atan2(sqrt(1 - x), sqrt(1 + x)); }
__LW float atanf(float x) { return (float)atan((double)x); }
__LW float atan2f(float y, float x) { return (float)atan2((double)y, (double)x); }
__LW float asinf(float x) { return (float)asin((double)x); }
__LW float acosf(float x) { return (float)acos((double)x); }

// ---- hyperbolic functions
__LW double sinh(double x) {
    double a = fabs(x), m;
    if (a > 709) {  // exp(a) alone would be too large
        m = exp(a / 2);
        return copysign(m / 2 * m, x);
    }
    m = expm1(a);
    return copysign((m + m / (m + 1)) / 2, x);
}
__LW double cosh(double x) {
    double m = exp(fabs(x) / 2);
    return fabs(x) > 709 ? m / 2 * m : (exp(x) + exp(-x)) / 2;
}
__LW double tanh(double x) {
    if (fabs(x) > 20) return copysign(1.0, x);
    double m = expm1(2 * fabs(x));
    return copysign(m / (m + 2), x);
}
__LW double asinh(double x) {
    double a = fabs(x);
    return copysign(a > 1e150 ? log(a) + 0.69314718055994531
                              : log1p(a + a * a / (1 + sqrt(a * a + 1))), x);
}
__LW double acosh(double x) {
    return x > 1e150 ? log(x) + 0.69314718055994531
                     : log1p((x - 1) + sqrt((x - 1) * (x - 1) + 2 * (x - 1)));
}
__LW double atanh(double x) { return copysign(log1p(2 * fabs(x) / (1 - fabs(x))) / 2, x); }
__LW float sinhf(float x) { return (float)sinh((double)x); }
__LW float coshf(float x) { return (float)cosh((double)x); }
__LW float tanhf(float x) {
    float a = fabsf(x);
    if (a < 0.55f) return (float)tanh((double)x);
    return copysignf(a > 10 ? 1.0f : 1 - 2 / (expf(2 * a) + 1), x);
}
__LW float asinhf(float x) { return (float)asinh((double)x); }
__LW float acoshf(float x) { return (float)acosh((double)x); }
__LW float atanhf(float x) { return (float)atanh((double)x); }

// ---- the error function: its series, from 3 on the continued fraction; gamma: Lanczos, g = 7
namespace __lw {
__LW double erf_series(double x) {
    double term = x, sum = x;
#pragma unroll 1
    for (int n = 1; n < 60; ++n) {
        term *= 2 * x * x / (2 * n + 1);
        sum += term;
    }
    return 1.1283791670955126 * exp(-x * x) * sum;
}
__LW double erfc_fraction(double x) {
    double tail = x;
#pragma unroll 1
    for (int n = 60; n > 0; --n) tail = x + n / 2.0 / tail;
    return exp(-x * x) * 0.56418958354775629 / tail;
}
}  // namespace __lw
__LW double erf(double x) {
    double a = fabs(x);
    if (a >= 3) return copysign(a > 6 ? 1.0 : 1 - __lw::erfc_fraction(a), x);
    return isnan(x) ? x : __lw::erf_series(x);
}
__LW double erfc(double x) {
    if (x < 3) return 1 - erf(x);
    return x > 28 ? 0 : __lw::erfc_fraction(x);
}
__LW double normcdf(double x) { return erfc(-x * 0.70710678118654752) / 2; }
__LW float erff(float x) { return (float)erf((double)x); }
__LW float erfcf(float x) { return (float)erfc((double)x); }
__LW float normcdff(float x) { return (float)normcdf((double)x); }
namespace __lw {
__LW double lanczos(double x) {
    return 0.99999999999980993 + 676.5203681218851 / (x + 1) - 1259.1392167224028 / (x + 2) +
           771.32342877765313 / (x + 3) - 176.61502916214059 / (x + 4) +
           12.507343278686905 / (x + 5) - 0.13857109526572012 / (x + 6) +
           9.9843695780195716e-6 / (x + 7) + 1.5056327351493116e-7 / (x + 8);
}
}  // namespace __lw
__LW double tgamma(double x) {
    if (x < 0.5 && x == trunc(x)) return x == 0 ? copysign(HUGE_VAL, x) : (double)NAN;
    double y = x < 0.5 ? -x : x - 1, t = y + 7.5;
    double half = pow(t, (y + 0.5) / 2);
    double r = 2.5066282746310002 * half * exp(-t) * half * __lw::lanczos(y);
    return x < 0.5 ? __LW_OF_PI / (sinpi(x) * r) : r;
}
__LW double lgamma(double x) {
    if (x <= 0 && x == trunc(x)) return HUGE_VAL;
    double y = x < 0.5 ? -x : x - 1, t = y + 7.5;
    double r = 0.91893853320467274 + (y + 0.5) * log(t) - t + log(__lw::lanczos(y));
    return x < 0.5 ? log(__LW_OF_PI / fabs(sinpi(x))) - r : r;
}
__LW float tgammaf(float x) { return (float)tgamma((double)x); }
__LW float lgammaf(float x) { return (float)lgamma((double)x); }

// ---- remainders, exactly: y times a power of two is taken off, from the largest that fits on
namespace __lw {
__LW double left_over(double x, double y, bool& odd) {  // of positive numbers; quotient's last bit
    odd = false;
    if (!(y > 0) || !isfinite(x)) return NAN;
    if (isinf(y)) return x;
#pragma unroll 1
    for (int e = x < y ? -1 : exponent(x) - exponent(y) + 1; e >= 0; --e) {
        double part = ldexp(y, e);
        odd = x >= part && e == 0;
        if (x >= part) x -= part;
    }
    return x;
}
}  // namespace __lw
__LW double fmod(double x, double y) {
    bool odd;
    return copysign(__lw::left_over(fabs(x), fabs(y), odd), x);
}
__LW double remainder(double x, double y) {
    bool odd;
    double b = fabs(y), r = __lw::left_over(fabs(x), b, odd);
    if (r > b - r || (r == b - r && odd)) r -= b;
    return signbit(x) ? -r : r;
}
__LW float fmodf(float x, float y) { return (float)fmod((double)x, (double)y); }
__LW float remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }

// ---- of a float as of a double, by one name; of an integer as of a double
namespace __lw {
template <class T> struct Integer {};
template <> struct Integer<char> { typedef double type; };
template <> struct Integer<signed char> { typedef double type; };
template <> struct Integer<unsigned char> { typedef double type; };
template <> struct Integer<short> { typedef double type; };
template <> struct Integer<unsigned short> { typedef double type; };
template <> struct Integer<int> { typedef double type; };
template <> struct Integer<unsigned> { typedef double type; };
template <> struct Integer<long> { typedef double type; };
template <> struct Integer<unsigned long> { typedef double type; };
template <> struct Integer<long long> { typedef double type; };
template <> struct Integer<unsigned long long> { typedef double type; };
}  // namespace __lw
#define __LW_OF_INTEGER(name)                                                              \
    template <class T>                                                                     \
    __LW typename __lw::Integer<T>::type name(T x) { return name((double)x); }
#define __LW_OF_FLOAT(name)                                                                \
    __LW float name(float x) { return name##f(x); }                                        \
    __LW_OF_INTEGER(name)
#define __LW_OF_FLOAT2(name)                                                               \
    __LW float name(float x, float y) { return name##f(x, y); }
__LW_OF_INTEGER(sqrt) __LW_OF_INTEGER(fabs) __LW_OF_INTEGER(floor) __LW_OF_INTEGER(ceil)
__LW_OF_FLOAT(sin) __LW_OF_FLOAT(cos) __LW_OF_FLOAT(tan) __LW_OF_FLOAT(asin) __LW_OF_FLOAT(acos)
__LW_OF_FLOAT(atan) __LW_OF_FLOAT(sinh) __LW_OF_FLOAT(cosh) __LW_OF_FLOAT(tanh)
__LW_OF_FLOAT(asinh) __LW_OF_FLOAT(acosh) __LW_OF_FLOAT(atanh) __LW_OF_FLOAT(exp)
__LW_OF_FLOAT(exp2) __LW_OF_FLOAT(exp10) __LW_OF_FLOAT(expm1) __LW_OF_FLOAT(log)
__LW_OF_FLOAT(log2) __LW_OF_FLOAT(log10) __LW_OF_FLOAT(log1p) __LW_OF_FLOAT(cbrt)
__LW_OF_FLOAT(erf) __LW_OF_FLOAT(erfc) __LW_OF_FLOAT(tgamma) __LW_OF_FLOAT(lgamma)
__LW_OF_FLOAT2(pow) __LW_OF_FLOAT2(atan2) __LW_OF_FLOAT2(fmod) __LW_OF_FLOAT2(hypot)
__LW_OF_FLOAT2(remainder) __LW_OF_FLOAT2(fdim) __LW_OF_FLOAT2(nextafter)
#undef __LW_OF_INTEGER
#undef __LW_OF_FLOAT
#undef __LW_OF_FLOAT2
