// Half precision (f16), bfloat16 and the eight-bit e4m3 and e5m2 in integers, so that every
// rounding is exact on any host.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/warp/modes.h"

namespace lanewise {

struct SmallFormat {
    int exponent_bits, mantissa_bits;
};
inline constexpr SmallFormat kHalf{5, 10}, kBrain{8, 7};
inline constexpr SmallFormat kE4m3{4, 3}, kE5m2{5, 2};  // of eight bits: to_byte, from_byte
inline constexpr uint16_t kSmallNan = 0x7fff;           // the hardware's, in both formats

// Exponent and mantissa of mantissa * 2^exponent, rounded once, as if exponents had no end.
struct SmallBits {
    uint64_t bits;
    bool away;  // what is too large for the format becomes infinite
};
inline SmallBits round_bits(bool negative, uint64_t mantissa, int exponent, SmallFormat format,
                            Modes::Rounding rounding) {
    if (mantissa == 0) return {0, false};
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
    return {kept + (static_cast<uint64_t>(top + bias - 1) << format.mantissa_bits),
            nearest || outward};
}

// (-1)^negative * mantissa * 2^exponent, rounded once.
inline uint16_t round_to_small(bool negative, uint64_t mantissa, int exponent, SmallFormat format,
                               Modes::Rounding rounding) {
    auto [bits, away] = round_bits(negative, mantissa, exponent, format, rounding);
    uint64_t infinity = ((1ull << format.exponent_bits) - 1) << format.mantissa_bits;
    if (bits >= infinity) bits = away ? infinity : infinity - 1;
    return static_cast<uint16_t>(static_cast<uint32_t>(negative) << 15 | bits);
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

// 2^exponent, which no small format takes out of a double's normal range.
inline double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

inline double from_small(uint16_t bits, SmallFormat format) {
    int bias = (1 << (format.exponent_bits - 1)) - 1;
    int exponent = (bits & 0x7fff) >> format.mantissa_bits;
    int mantissa = bits & ((1 << format.mantissa_bits) - 1);
    double result;
    if (exponent == (1 << format.exponent_bits) - 1)
        result = mantissa != 0 ? std::nan("") : HUGE_VAL;
    else if (exponent == 0)
        result = mantissa * power_of_two(1 - bias - format.mantissa_bits);
    else
        result = (mantissa + (1 << format.mantissa_bits)) *
                 power_of_two(exponent - bias - format.mantissa_bits);
    return bits & 0x8000 ? -result : result;
}

// e4m3 has no infinity: beyond 448 there is only its NaN, 0x7f. What is too large becomes the
// largest number (.satfinite, which every conversion to eight bits has), a NaN 0x7f in both.
inline uint8_t to_byte(double v, SmallFormat format) {
    if (v != v) return 0x7f;
    uint64_t most = format.exponent_bits == 4 ? 0x7e : 0x7b, bits = most;
    if (!std::isinf(v)) {
        int exponent = 0;
        double fraction = std::frexp(std::fabs(v), &exponent);
        bits = round_bits(std::signbit(v), static_cast<uint64_t>(std::ldexp(fraction, 53)),
                          exponent - 53, format, Modes::rn)
                   .bits;
    }
    return static_cast<uint8_t>(std::min(bits, most) | (std::signbit(v) ? 0x80 : 0));
}
inline double from_byte(uint8_t byte, SmallFormat format) {
    bool is_e4m3 = format.exponent_bits == 4;
    if (is_e4m3 && (byte & 0x7f) == 0x7f) return std::nan("");
    if (is_e4m3 && (byte & 0x78) == 0x78)
        return std::copysign(256 + 32 * (byte & 7), byte & 0x80 ? -1 : 1);
    auto bits = static_cast<uint16_t>((byte & 0x7f) | (byte & 0x80) << 8);
    return from_small(bits, format);
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
