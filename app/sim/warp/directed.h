// Sums, products, quotients, roots and conversions rounded toward zero, down or up, computed by hand: a
// host need not be able to change its own rounding, and a browser cannot. Each is found exactly, as a
// nearest double and the sign of what that leaves over, and then rounded once.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "sim/warp/modes.h"

namespace lanewise {

inline bool is_directed(Modes::Rounding rounding) {
    return rounding == Modes::rz || rounding == Modes::rm || rounding == Modes::rp;
}

// (high + rest) * 2^exponent. `rest` is at most half a unit in the last place of `high`, and nothing but
// its sign is used. What is infinite or no number stands in `high`.
struct Exactly {
    double high = 0, rest = 0;
    int exponent = 0;
};

template <class C>
using Bits_of = std::conditional_t<sizeof(C) == 4, uint32_t, uint64_t>;

// The number that is `steps` (0 or 1) away from zero or toward it.
template <class C>
C neighbour(C v, bool outward, Bits_of<C> steps) {
    return std::bit_cast<C>(static_cast<Bits_of<C>>(std::bit_cast<Bits_of<C>>(v) +
                                                    (outward ? steps : 0 - steps)));
}

template <class C>
C rounded(const Exactly& exact, Modes::Rounding rounding) {
    C nearest;
    double back;
    if (exact.exponent == 0) {  // of floats, mostly
        nearest = static_cast<C>(exact.high);
        back = static_cast<double>(nearest);
    } else {
        nearest = static_cast<C>(std::ldexp(exact.high, exact.exponent));
        back = std::ldexp(static_cast<double>(nearest), -exact.exponent);
    }
    // The difference is exact. The nearest number is as often too large as too small: a processor would guess
    // that wrong half of the time, so that nothing branches on it.
    double left = exact.high - back, over = left == 0 ? exact.rest : left;
    bool negative = std::signbit(exact.high);
    bool down = rounding == Modes::rm || (rounding == Modes::rz && !negative);
    bool is_off = (down ? -over : over) > 0;
    return neighbour(nearest, down == negative, is_off);
}

// ---- The operations. What is not finite needs no rounding, nor does most that is zero.

inline double two_sum_rest(double a, double b, double sum) {
    double of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b);
}

inline Exactly exact_sum(double a, double b) {
    double sum = a + b;
    if (!std::isfinite(a) || !std::isfinite(b)) return {sum};
    if (std::isinf(sum)) return {std::copysign(1.0, sum), 0, 1024};
    bool first = std::fabs(a) >= std::fabs(b);
    return {sum, first ? b - (sum - a) : a - (sum - b)};
}

inline Exactly exact_product(double a, double b) {
    if (a == 0 || b == 0 || !std::isfinite(a) || !std::isfinite(b)) return {a * b};
    int of_a = 0, of_b = 0;
    a = std::frexp(a, &of_a), b = std::frexp(b, &of_b);
    return {a * b, std::fma(a, b, -(a * b)), of_a + of_b};
}

inline Exactly exact_quotient(double a, double b) {
    if (a == 0 || b == 0 || !std::isfinite(a) || !std::isfinite(b)) return {a / b};
    int of_a = 0, of_b = 0;
    a = std::frexp(a, &of_a), b = std::frexp(b, &of_b);
    double quotient = a / b, left = std::fma(-quotient, b, a);
    return {quotient, b < 0 ? -left : left, of_a - of_b};
}

inline Exactly exact_root(double a) {
    if (!(a > 0) || std::isinf(a)) return {std::sqrt(a)};
    int exponent = 0;
    a = std::frexp(a, &exponent);
    if (exponent % 2 != 0) a *= 2, --exponent;
    double root = std::sqrt(a);
    return {root, std::fma(-root, root, a), exponent / 2};
}

// a b + c. The rest is that of Boldo and Muller, "Exact and approximated error of the FMA" (2011).
inline Exactly exact_fused(double a, double b, double c) {
    if (a == 0 || b == 0 || !std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c))
        return {std::fma(a, b, c)};
    if (c == 0) return exact_product(a, b);
    constexpr int kFarAbove = 120, kFarBelow = -170;  // bits: there only the sign is left
    int of_a = 0, of_b = 0, of_c = 0;
    a = std::frexp(a, &of_a), b = std::frexp(b, &of_b), c = std::frexp(c, &of_c);
    double product = a * b, left = std::fma(a, b, -product);
    int exponent = of_a + of_b, above = of_c - exponent;
    if (above > kFarAbove) return {c, product, of_c};
    if (above < kFarBelow) return {product, left != 0 ? left : c, exponent};
    c = std::ldexp(c, above);
    double result = std::fma(a, b, c);
    double low = c + left, lowest = two_sum_rest(c, left, low);
    double sum = product + low, of_sum = two_sum_rest(product, low, sum);
    return {result, ((sum - result) + of_sum) + lowest, exponent};
}

// Of floats: a double has room for any product, and no sum of what it has room for is infinite.
inline Exactly exact_product(float a, float b) { return {double{a} * double{b}}; }
inline Exactly exact_fused(float a, float b, float c) {
    double product = double{a} * double{b}, sum = product + double{c};
    if (!std::isfinite(sum)) return {sum};
    return {sum, two_sum_rest(product, c, sum)};
}

inline Exactly exact_integer(bool negative, uint64_t magnitude) {
    auto nearest = static_cast<double>(magnitude);
    auto rest = static_cast<double>(
        nearest >= 0x1p64 ? -static_cast<int64_t>(0 - magnitude)
                          : static_cast<int64_t>(magnitude - static_cast<uint64_t>(nearest)));
    return negative ? Exactly{-nearest, -rest} : Exactly{nearest, rest};
}

// A sum that is exactly zero is -0 where it is rounded down, unless both of its terms were +0.
template <class C>
C rounded_sum(const Exactly& exact, bool both_positive, Modes::Rounding rounding) {
    if (exact.high == 0 && exact.rest == 0 && rounding == Modes::rm && !both_positive)
        return C{-0.0};
    return rounded<C>(exact, rounding);
}

}  // namespace lanewise
