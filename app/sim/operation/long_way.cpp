#include "sim/operation/long_way.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lanewise {
namespace {

// Biased exponents, as the bits of a number have them.
uint32_t exponent(uint32_t single) { return single >> 23 & 0xff; }
uint32_t exponent(uint64_t real) { return static_cast<uint32_t>(real >> 52 & 0x7ff); }

bool is_long_quotient(uint32_t a, uint32_t b) {
    const auto of_a = static_cast<int>(exponent(a)), of_b = static_cast<int>(exponent(b));
    constexpr int kLeast = 25, kMost = 254, kLeastDivisor = 2, kMostDivisor = 251, kFurthest = 126, kNearest = -124;
    return of_a < kLeast || of_a > kMost || of_b < kLeastDivisor || of_b > kMostDivisor || of_a - of_b > kFurthest ||
           of_a - of_b < kNearest;
}

bool is_long_root(uint32_t a) { return a - 0x0d000000u > 0x727fffffu; }

bool is_long_inverse(uint32_t a) { return exponent(a) == 0 || exponent(a) >= 253; }

bool is_long_quotient(uint64_t a, uint64_t b) {
    constexpr uint32_t kLeast = 54, kMost = 2039;
    const uint32_t of_b = exponent(b);
    if (exponent(a) < kLeast || of_b < 1 || of_b > kMost) return true;
    const uint32_t of_result = exponent(std::bit_cast<uint64_t>(std::bit_cast<double>(a) / std::bit_cast<double>(b)));
    return of_result < 1 || of_result > kMost;
}

bool is_long_root(uint64_t a) { return a >> 63 != 0 || exponent(a) < 53 || exponent(a) == 0x7ff; }

bool is_long_inverse(uint64_t a) { return exponent(a) == 0 || exponent(a) >= 2045; }

template <class F>
uint32_t lanes_where(uint32_t lanes, F is_long) {
    uint32_t found = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        if (int lane = std::countr_zero(rest); is_long(lane)) found |= 1u << lane;
    return found;
}

template <class T>
uint32_t different(const T* values, uint32_t lanes) {
    std::array<T, kLanes> sorted;
    auto end = sorted.begin();
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) *end++ = values[std::countr_zero(rest)];
    std::sort(sorted.begin(), end);
    return static_cast<uint32_t>(std::unique(sorted.begin(), end) - sorted.begin());
}

}  // namespace

OperandRule operand_rule(const std::vector<std::string>& parts) {
    auto has = [&](const char* part) { return std::find(parts.begin() + 1, parts.end(), part) != parts.end(); };
    if (parts[0] == "match" && has("any"))
        return has("b64") ? OperandRule::wide_values : OperandRule::values;
    const bool is_real = has("f64");
    if (has("approx") || has("full") || (!is_real && !has("f32"))) return OperandRule::none;
    if (parts[0] == "div") return is_real ? OperandRule::real_quotient : OperandRule::quotient;
    if (parts[0] == "sqrt") return is_real ? OperandRule::real_root : OperandRule::root;
    if (parts[0] == "rcp") return is_real ? OperandRule::real_inverse : OperandRule::inverse;
    return OperandRule::none;
}

uint32_t long_way(Warp& warp, const Op& op) {
    const uint32_t *a = warp.words(op.a), *b = warp.words(op.b);
    const uint64_t *x = warp.wides(op.a), *y = warp.wides(op.b);
    switch (op.operand_rule) {
        case OperandRule::none:
        case OperandRule::values:
        case OperandRule::wide_values:
            return 0;
        case OperandRule::quotient:
            return lanes_where(warp.lanes, [&](int n) { return is_long_quotient(a[n], b[n]); });
        case OperandRule::root:
            return lanes_where(warp.lanes, [&](int n) { return is_long_root(a[n]); });
        case OperandRule::inverse:
            return lanes_where(warp.lanes, [&](int n) { return is_long_inverse(a[n]); });
        case OperandRule::real_quotient:
            return lanes_where(warp.lanes, [&](int n) { return is_long_quotient(x[n], y[n]); });
        case OperandRule::real_root:
            return lanes_where(warp.lanes, [&](int n) { return is_long_root(x[n]); });
        case OperandRule::real_inverse:
            return lanes_where(warp.lanes, [&](int n) { return is_long_inverse(x[n]); });
    }
    return 0;
}

uint32_t different_values(Warp& warp, const Op& op) {
    if (op.operand_rule == OperandRule::values) return different(warp.words(op.a), warp.lanes);
    if (op.operand_rule == OperandRule::wide_values) return different(warp.wides(op.a), warp.lanes);
    return 0;
}

}  // namespace lanewise
