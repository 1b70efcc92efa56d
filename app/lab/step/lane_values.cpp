#include "lab/step/lane_values.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "lab/kernel/buffer_fill.h"

namespace lanewise {

bool is_float(NumberType type) { return type == NumberType::f32 || type == NumberType::f64; }
bool is_wide(NumberType type) {
    return type == NumberType::i64 || type == NumberType::u64 || type == NumberType::f64;
}
bool is_signed(NumberType type) { return type != NumberType::u32 && type != NumberType::u64; }

namespace {

struct NamedType {
    std::string_view c_type, element;
};
constexpr NamedType kTypes[] = {
    {"bool", "u8"},
    {"char", "i8"},
    {"signed char", "i8"},
    {"int8_t", "i8"},
    {"unsigned char", "u8"},
    {"uint8_t", "u8"},
    {"short", "i16"},
    {"int16_t", "i16"},
    {"unsigned short", "u16"},
    {"uint16_t", "u16"},
    {"int", "i32"},
    {"signed", "i32"},
    {"int32_t", "i32"},
    {"unsigned", "u32"},
    {"unsigned int", "u32"},
    {"uint32_t", "u32"},
    {"uint", "u32"},
    {"long", "i64"},
    {"long long", "i64"},
    {"int64_t", "i64"},
    {"ptrdiff_t", "i64"},
    {"unsigned long", "u64"},
    {"unsigned long long", "u64"},
    {"uint64_t", "u64"},
    {"size_t", "u64"},
    {"half", "f16"},
    {"__half", "f16"},
    {"__nv_bfloat16", "bf16"},
    {"nv_bfloat16", "bf16"},
    {"float", "f32"},
    {"double", "f64"},
};

float as_float(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

// C++ leaves open what a float beyond the integers converts to; a card takes the nearest.
int64_t nearest_integer(double value) {
    if (value != value) return 0;
    if (value >= 9223372036854775807.0) return std::numeric_limits<int64_t>::max();
    if (value <= -9223372036854775808.0) return std::numeric_limits<int64_t>::min();
    return static_cast<int64_t>(value);
}

}  // namespace

std::string_view element_of(std::string_view c_type) {
    if (c_type.starts_with("std::")) c_type.remove_prefix(5);
    for (const NamedType& each : kTypes)
        if (each.c_type == c_type) return each.element;
    return {};
}

int bytes_of_element(std::string_view element) {
    const ElementType* type = find_element_type(element);
    return type ? type->bytes : 0;
}

NumberType number_type_of_element(std::string_view element) {
    const ElementType* type = find_element_type(element);
    if (!type) return NumberType::i32;
    if (type->is_float) return type->bytes == 8 ? NumberType::f64 : NumberType::f32;
    if (type->bytes < 4) return NumberType::i32;
    if (type->bytes == 4) return type->is_signed ? NumberType::i32 : NumberType::u32;
    return type->is_signed ? NumberType::i64 : NumberType::u64;
}

int64_t LaneValues::integer(size_t lane) const {
    return is_float(type) ? nearest_integer(number(lane)) : static_cast<int64_t>(bits[lane]);
}

double LaneValues::number(size_t lane) const {
    if (type == NumberType::f32) return as_float(bits[lane]);
    if (type == NumberType::f64) return std::bit_cast<double>(bits[lane]);
    return type == NumberType::u64 ? static_cast<double>(bits[lane])
                                   : static_cast<double>(static_cast<int64_t>(bits[lane]));
}

bool LaneValues::is_true(size_t lane) const {
    return is_float(type) ? number(lane) != 0 : bits[lane] != 0;
}

uint32_t LaneValues::true_lanes() const {
    uint32_t lanes = 0;
    for (size_t n = 0; n < bits.size(); ++n)
        if (is_known(n) && is_true(n)) lanes |= 1u << n;
    return lanes;
}

void set_integer(LaneValues& values, size_t lane, int64_t value) {
    if (values.type == NumberType::i32) value = static_cast<int32_t>(value);
    if (values.type == NumberType::u32) value = static_cast<uint32_t>(value);
    values.bits[lane] = static_cast<uint64_t>(value);
    values.known |= 1u << lane;
}

void set_number(LaneValues& values, size_t lane, double value) {
    values.bits[lane] = values.type == NumberType::f32
                            ? std::bit_cast<uint32_t>(static_cast<float>(value))
                            : std::bit_cast<uint64_t>(value);
    values.known |= 1u << lane;
}

LaneValues same_in_all(NumberType type, int64_t value) {
    LaneValues values{type};
    for (size_t n = 0; n < values.bits.size(); ++n) set_integer(values, n, value);
    return values;
}

LaneValues same_float(NumberType type, double value) {
    LaneValues values{type};
    for (size_t n = 0; n < values.bits.size(); ++n) set_number(values, n, value);
    return values;
}

LaneValues converted(const LaneValues& values, NumberType to) {
    if (values.type == to) return values;
    LaneValues result{to};
    for (size_t n = 0; n < values.bits.size(); ++n) {
        if (is_float(to))
            set_number(result, n, values.number(n));
        else
            set_integer(result, n, values.integer(n));
    }
    result.known = values.known;
    return result;
}

LaneValues from_elements(std::string_view element, const std::array<uint64_t, 32>& bits,
                         uint32_t known) {
    LaneValues values{number_type_of_element(element)};
    const ElementType* type = find_element_type(element);
    for (size_t n = 0; type && n < bits.size(); ++n) {
        int unused = 64 - 8 * type->bytes;
        uint64_t low = bits[n] << unused;
        if (type->is_float)
            set_number(values, n, float_value(*type, low >> unused));
        else if (type->is_signed)
            set_integer(values, n, static_cast<int64_t>(low) >> unused);
        else
            set_integer(values, n, static_cast<int64_t>(low >> unused));
    }
    values.known = type ? known : 0;
    return values;
}

std::string lane_text(const LaneValues& values, size_t lane) {
    if (!values.is_known(lane)) return {};
    if (!values.pointee.element.empty()) return fmt::format("0x{:x}", values.bits[lane]);
    if (values.type == NumberType::f32) return fmt::format("{:.6g}", as_float(values.bits[lane]));
    if (values.type == NumberType::f64) return fmt::format("{:.6g}", values.number(lane));
    if (values.type == NumberType::u64) return fmt::format("{}", values.bits[lane]);
    return fmt::format("{}", static_cast<int64_t>(values.bits[lane]));
}

// 0, 4, 8 … 124 of all lanes; the first and the step.
static bool is_sequence(const LaneValues& values, int64_t& step) {
    if (is_float(values.type) || values.known != kEveryLane) return false;
    step = static_cast<int64_t>(values.bits[1] - values.bits[0]);
    for (size_t n = 1; n < values.bits.size(); ++n)
        if (static_cast<int64_t>(values.bits[n] - values.bits[n - 1]) != step) return false;
    return true;
}

std::string lanes_in_words(uint32_t lanes) {
    if (lanes == kEveryLane) return "all lanes";
    if (lanes == 0) return "no lane";
    int first = __builtin_ctz(lanes), count = __builtin_popcount(lanes),
        last = 31 - __builtin_clz(lanes);
    if (count == 1) return fmt::format("lane {}", first);
    if (last - first + 1 == count) return fmt::format("lanes {} to {}", first, last);
    constexpr int kMost = 6;
    std::string text = "lanes";
    int shown = 0;
    for (uint32_t rest = lanes; rest != 0 && shown < kMost; rest &= rest - 1, ++shown)
        text += fmt::format("{} {}", shown > 0 ? "," : "", __builtin_ctz(rest));
    return count > kMost ? text + fmt::format(" and {} more", count - kMost) : text;
}

std::string in_few_words(const LaneValues& values) {
    if (values.known == 0) return "no lane has a value yet";
    auto first = static_cast<size_t>(__builtin_ctz(values.known));
    bool alike = true;
    for (size_t n = 0; n < values.bits.size(); ++n)
        alike = alike && (!values.is_known(n) || values.bits[n] == values.bits[first]);
    if (alike) {
        auto count = static_cast<unsigned>(__builtin_popcount(values.known));
        if (count == 32) return lane_text(values, 0) + " in all lanes";
        if (count == 1) return fmt::format("{} in lane {}", lane_text(values, first), first);
        return fmt::format("{} in {} lanes", lane_text(values, first), count);
    }
    int64_t step = 0;
    if (!is_sequence(values, step)) return {};
    return fmt::format("{}, {}, {} … {}", lane_text(values, 0), lane_text(values, 1),
                       lane_text(values, 2), lane_text(values, 31));
}

}  // namespace lanewise
