#include "lab/step/lane_arithmetic.h"

#include <bit>
#include <cmath>

#include "lab/kernel/buffer_fill.h"

namespace lanewise {

namespace {

// Of C's usual arithmetic conversions; the enum is in their order but for the two 32-bit integers.
NumberType common_type(NumberType a, NumberType b) { return a < b ? b : a; }

template <class F>
LaneValues of_integers(NumberType type, uint32_t known, F f) {
    LaneValues result{type};
    for (size_t n = 0; n < result.bits.size(); ++n) set_integer(result, n, f(n));
    result.known = known;
    return result;
}
template <class F>
LaneValues of_numbers(NumberType type, uint32_t known, F f) {
    LaneValues result{type};
    for (size_t n = 0; n < result.bits.size(); ++n) set_number(result, n, f(n));
    result.known = known;
    return result;
}

// Of f32 each operation is rounded to a float: set_number() does.
double float_operation(char sign, double a, double b) {
    switch (sign) {
        case '+':
            return a + b;
        case '-':
            return a - b;
        case '*':
            return a * b;
        default:
            return a / b;
    }
}

uint64_t wrapped(char sign, uint64_t a, uint64_t b) {
    switch (sign) {
        case '+':
            return a + b;
        case '-':
            return a - b;
        case '*':
            return a * b;
        case '&':
            return a & b;
        case '|':
            return a | b;
        default:
            return a ^ b;
    }
}

int64_t divided(char sign, NumberType type, int64_t a, int64_t b) {
    if (b == 0) return 0;
    bool quotient = sign == '/';
    if (!is_signed(type)) {
        auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
        return static_cast<int64_t>(quotient ? x / y : x % y);
    }
    if (b == -1) return quotient ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : 0;
    return quotient ? a / b : a % b;
}

LaneValues division(char sign, const LaneValues& a, const LaneValues& b, uint32_t known,
                    uint32_t& by_zero) {
    LaneValues result = of_integers(
        a.type, known, [&](size_t n) { return divided(sign, a.type, a.integer(n), b.integer(n)); });
    uint32_t zeros = known & ~b.true_lanes();
    by_zero |= zeros;
    result.known &= ~zeros;
    return result;
}

// By as many bits as the left side's type has or more, all are gone, as on a card.
LaneValues shifted(bool left, const LaneValues& a, const LaneValues& by, uint32_t known) {
    int width = is_wide(a.type) ? 64 : 32;
    return of_integers(a.type, known, [&](size_t n) -> int64_t {
        int64_t value = a.integer(n), count = by.integer(n);
        bool all = count < 0 || count >= width;
        if (left) return all ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value) << count);
        if (is_signed(a.type)) return value >> (all ? 63 : count);
        return all ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value) >> count);
    });
}

template <class T>
bool compares(std::string_view sign, T a, T b) {
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<") return a < b;
    if (sign == ">") return a > b;
    return sign == "<=" ? a <= b : a >= b;
}

LaneValues comparison(std::string_view sign, const LaneValues& a, const LaneValues& b,
                      uint32_t known) {
    return of_integers(NumberType::i32, known, [&](size_t n) -> int64_t {
        if (is_float(a.type)) return compares(sign, a.number(n), b.number(n));
        if (is_signed(a.type)) return compares(sign, a.integer(n), b.integer(n));
        return compares(sign, a.bits[n], b.bits[n]);
    });
}

bool is_comparison(std::string_view sign) {
    return sign == "==" || sign == "!=" || sign == "<" || sign == ">" || sign == "<=" ||
           sign == ">=";
}

using Float = double (*)(double);
struct FloatFunction {
    std::string_view name;
    Float apply;
};
constexpr FloatFunction kOfOneFloat[] = {
    {"sqrt", [](double v) { return std::sqrt(v); }},
    {"exp", [](double v) { return std::exp(v); }},
    {"log", [](double v) { return std::log(v); }},
    {"sin", [](double v) { return std::sin(v); }},
    {"cos", [](double v) { return std::cos(v); }},
    {"tanh", [](double v) { return std::tanh(v); }},
    {"floor", [](double v) { return std::floor(v); }},
    {"ceil", [](double v) { return std::ceil(v); }},
    {"fabs", [](double v) { return std::fabs(v); }},
};
// "sqrt" and "sqrtf".
const FloatFunction* find_float(std::string_view name) {
    for (const FloatFunction& each : kOfOneFloat)
        if (name == each.name || (name.size() == each.name.size() + 1 && name.back() == 'f' &&
                                  name.starts_with(each.name)))
            return &each;
    return nullptr;
}
bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    for (std::string_view each : names)
        if (each == name) return true;
    return false;
}
bool is_minimum(std::string_view name) { return is_one_of(name, {"min", "fminf", "fmin"}); }
bool is_maximum(std::string_view name) { return is_one_of(name, {"max", "fmaxf", "fmax"}); }
bool is_count(std::string_view name) {
    return is_one_of(name, {"abs", "__popc", "__popcll", "__ffs", "__clz"});
}

LaneValues counted_bits(std::string_view name, const LaneValues& of) {
    return of_integers(name == "abs" ? of.type : NumberType::i32, of.known,
                       [&](size_t n) -> int64_t {
                           uint64_t bits = of.bits[n];
                           auto low = static_cast<uint32_t>(bits);
                           if (name == "abs") return std::abs(of.integer(n));
                           if (name == "__popcll") return std::popcount(bits);
                           if (name == "__popc") return std::popcount(low);
                           if (name == "__clz") return std::countl_zero(low);
                           return low == 0 ? 0 : std::countr_zero(low) + 1;
                       });
}

}  // namespace

LaneValues lane_unary(char sign, const LaneValues& of) {
    if (sign == '+') return of;
    if (sign == '!') return lane_truth(of.known & ~of.true_lanes(), of.known);
    if (sign == '-' && is_float(of.type))
        return of_numbers(of.type, of.known, [&](size_t n) { return -of.number(n); });
    return of_integers(of.type, of.known, [&](size_t n) {
        uint64_t bits = static_cast<uint64_t>(of.integer(n));
        return static_cast<int64_t>(sign == '-' ? 0 - bits : ~bits);
    });
}

LaneValues lane_binary(std::string_view sign, const LaneValues& left, const LaneValues& right,
                       uint32_t& divided_by_zero) {
    uint32_t known = left.known & right.known;
    if (sign == "<<" || sign == ">>") return shifted(sign == "<<", left, right, known);
    NumberType type = common_type(left.type, right.type);
    LaneValues a = converted(left, type), b = converted(right, type);
    if (is_comparison(sign)) return comparison(sign, a, b, known);
    char first = sign[0];
    if (is_float(type))
        return of_numbers(type, known, [&](size_t n) {
            return float_operation(first, a.number(n), b.number(n));
        });
    if (first == '/' || first == '%') return division(first, a, b, known, divided_by_zero);
    return of_integers(type, known, [&](size_t n) {
        return static_cast<int64_t>(wrapped(first, a.bits[n], b.bits[n]));
    });
}

LaneValues lane_choice(uint32_t yes_lanes, const LaneValues& yes, const LaneValues& no) {
    NumberType type = common_type(yes.type, no.type);
    LaneValues a = converted(yes, type), result = converted(no, type);
    for (size_t n = 0; n < result.bits.size(); ++n)
        if (yes_lanes >> n & 1) result.bits[n] = a.bits[n];
    result.known = (a.known & yes_lanes) | (result.known & ~yes_lanes);
    result.pointee = yes.pointee;
    return result;
}

LaneValues lane_truth(uint32_t true_lanes, uint32_t known) {
    return of_integers(NumberType::i32, known,
                       [&](size_t n) -> int64_t { return true_lanes >> n & 1; });
}

LaneValues narrowed(LaneValues values, std::string_view element) {
    const ElementType* type = find_element_type(element);
    if (!type || type->is_float || type->bytes >= 4) return values;
    return from_elements(element, values.bits, values.known);
}

bool is_lane_function(std::string_view name, size_t arguments) {
    if (arguments == 2) return is_minimum(name) || is_maximum(name);
    return arguments == 1 && (find_float(name) || is_count(name));
}

LaneValues lane_function(std::string_view name, const std::vector<LaneValues>& given) {
    if (given.size() == 2) {
        uint32_t unused = 0;
        bool least = is_minimum(name);
        LaneValues less = lane_binary("<", given[0], given[1], unused);
        uint32_t first = least ? less.true_lanes() : less.known & ~less.true_lanes();
        return lane_choice(first, given[0], given[1]);
    }
    if (is_count(name)) return counted_bits(name, given[0]);
    const FloatFunction* function = find_float(name);
    bool is_single = name.back() == 'f' && name != function->name;
    return of_numbers(
        is_single || given[0].type == NumberType::f32 ? NumberType::f32 : NumberType::f64,
        given[0].known, [&](size_t n) { return function->apply(given[0].number(n)); });
}

}  // namespace lanewise
