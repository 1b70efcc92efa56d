// Half precision (f16) and bfloat16 in integers, so that every rounding is exact on any host.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/modes.h"

namespace lanewise {

struct SmallFormat {
    int exponent_bits, mantissa_bits;
};
inline constexpr SmallFormat kHalf{5, 10}, kBrain{8, 7};
inline constexpr uint16_t kSmallNan = 0x7fff;  // the hardware's, in both formats

// (-1)^negative * mantissa * 2^exponent, rounded once.
inline uint16_t round_to_small(bool negative, uint64_t mantissa, int exponent, SmallFormat format,
                               Modes::Rounding rounding) {
    auto sign = static_cast<uint32_t>(negative) << 15;
    if (mantissa == 0) return static_cast<uint16_t>(sign);
    int bias = (1 << (format.exponent_bits - 1)) - 1;
    int top = std::max(63 - std::countl_zero(mantissa) + exponent, 1 - bias);
    int dropped = top - format.mantissa_bits - exponent;  // bits
    uint64_t kept = 0;
    bool half = false, rest = false;  // what is dropped: its first bit, and any other
    if (dropped <= 0) {
        kept = mantissa << -dropped;
    } else if (dropped <= 63) {
        kept = mantissa >> dropped;
        half = mantissa >> (dropped - 1) & 1;
        rest = (mantissa & ((1ull << (dropped - 1)) - 1)) != 0;
    } else {
        half = dropped == 64 && mantissa >> 63;
        rest = dropped > 64 || mantissa << 1 != 0;
    }
    bool outward = rounding == Modes::rz   ? false
                   : rounding == Modes::rm ? negative
                   : rounding == Modes::rp ? !negative
                                           : half && (rest || (kept & 1));
    bool nearest = rounding != Modes::rz && rounding != Modes::rm && rounding != Modes::rp;
    if (nearest ? outward : outward && (half || rest)) ++kept;
    // `kept` has its leading one where the number is normal; that one counts as an exponent.
    uint64_t bits = kept + (static_cast<uint64_t>(top + bias - 1) << format.mantissa_bits);
    uint64_t infinity = ((1ull << format.exponent_bits) - 1) << format.mantissa_bits;
    if (bits >= infinity) bits = nearest || outward ? infinity : infinity - 1;
    return static_cast<uint16_t>(sign | bits);
}

inline uint16_t to_small(double v, SmallFormat format, Modes::Rounding rounding) {
    if (v != v) return kSmallNan;
    bool negative = std::signbit(v);
    if (std::isinf(v)) {
        uint32_t infinity = ((1u << format.exponent_bits) - 1) << format.mantissa_bits;
        return static_cast<uint16_t>(infinity | (negative ? 0x8000u : 0u));
    }
    int exponent = 0;
    double fraction = std::frexp(std::fabs(v), &exponent);
    return round_to_small(negative, static_cast<uint64_t>(std::ldexp(fraction, 53)), exponent - 53,
                          format, rounding);
}

inline double from_small(uint16_t bits, SmallFormat format) {
    int bias = (1 << (format.exponent_bits - 1)) - 1;
    int exponent = (bits & 0x7fff) >> format.mantissa_bits;
    int mantissa = bits & ((1 << format.mantissa_bits) - 1);
    double result;
    if (exponent == (1 << format.exponent_bits) - 1)
        result = mantissa != 0 ? std::nan("") : HUGE_VAL;
    else if (exponent == 0)
        result = std::ldexp(mantissa, 1 - bias - format.mantissa_bits);
    else
        result = std::ldexp(mantissa + (1 << format.mantissa_bits),
                            exponent - bias - format.mantissa_bits);
    return bits & 0x8000 ? -result : result;
}

// a + b to 53 bits with the last one set where the sum is not exact: rounding that to a small
// format gives what rounding the exact sum would (Boldo and Melquiond, 2008).
inline double sum_to_odd(double a, double b) {
    double sum = a + b;
    if (!std::isfinite(sum)) return sum;
    double of_b = sum - a;
    double error = (a - (sum - of_b)) + (b - of_b);  // exact: Knuth's two-sum
    if (error == 0 || (std::bit_cast<uint64_t>(sum) & 1)) return sum;
    bool outward = (error > 0) == (sum > 0);
    return std::bit_cast<double>(std::bit_cast<uint64_t>(sum) + (outward ? 1 : ~0ull));
}

}  // namespace lanewise
