// Thirty-two values of one C type, one a lane: what a variable holds, what an expression comes to,
// or the addresses that a pointer has.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

inline constexpr uint32_t kEveryLane = ~0u;

// What expressions compute with. Narrower integers become i32, narrower floats f32, as in C.
enum class NumberType : uint8_t { i32, u32, i64, u64, f32, f64 };
bool is_float(NumberType type);
bool is_signed(NumberType type);
bool is_wide(NumberType type);
// "f32" of "float", "u64" of "size_t", "u8" of "bool": an element's type as --arg names it
// (lab/kernel/buffer_fill.h). "" for a type that is no number.
std::string_view element_of(std::string_view c_type);
int bytes_of_element(std::string_view element);  // 0 for what is none
// Of "f32", "u8", "f16" …; i32 for what is none.
NumberType number_type_of_element(std::string_view element);

// What a pointer points to, or an array holds.
struct Pointee {
    std::string element;  // "f32", "u8" …; "": it is no pointer
    std::vector<int64_t>
        extents;  // of the array's further subscripts; none: one reaches an element
    bool operator==(const Pointee&) const = default;
};

struct LaneValues {
    NumberType type = NumberType::i32;
    // Integers extended to 64 bits by their sign, f32 and f64 as their own bits.
    std::array<uint64_t, 32> bits{};
    uint32_t known = 0;  // the lanes that have a value
    Pointee pointee = {};

    bool is_known(size_t lane) const { return known >> lane & 1; }
    int64_t integer(size_t lane) const;  // as converted to long long
    double number(size_t lane) const;    // as converted to double
    bool is_true(size_t lane) const;     // not zero
    uint32_t true_lanes() const;         // of the known ones
    bool operator==(const LaneValues&) const = default;
};

// The same in all lanes.
LaneValues same_in_all(NumberType type, int64_t value);
LaneValues same_float(NumberType type, double value);
// Sets a lane of an integer (narrowed to its type) or of a float, and makes it known.
void set_integer(LaneValues& values, size_t lane, int64_t value);
void set_number(LaneValues& values, size_t lane, double value);
LaneValues converted(const LaneValues& values, NumberType to);

// The elements' bits (low bytes) of memory or of a register, as numbers; `known` lanes.
LaneValues from_elements(std::string_view element, const std::array<uint64_t, 32>& bits,
                         uint32_t known);

// "lane 3", "lanes 17 to 31", "lanes 0, 2, 5, 6 and 9 more", "all lanes".
std::string lanes_in_words(uint32_t lanes);

// "-7", "0.5", "1e+20"; of a pointer "0x7000…". "" for a lane without a value.
std::string lane_text(const LaneValues& values, size_t lane);
// All of them in a few words: "5 in all lanes", "0, 1, 2 … 31", "0, 4, 8 … 124"; "" where they
// follow no such rule.
std::string in_few_words(const LaneValues& values);

}  // namespace lanewise
