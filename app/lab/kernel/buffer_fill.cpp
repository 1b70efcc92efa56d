#include "lab/kernel/buffer_fill.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "sim/memory/memory.h"
#include "sim/warp/small_float.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr ElementType kTypes[] = {
    {"i8", 1, false, true},   {"u8", 1, false, false},  {"i16", 2, false, true},
    {"u16", 2, false, false}, {"i32", 4, false, true},  {"u32", 4, false, false},
    {"i64", 8, false, true},  {"u64", 8, false, false}, {"f16", 2, true, true},
    {"bf16", 2, true, true},  {"f32", 4, true, true},   {"f64", 8, true, true},
};

SmallFormat small_format(const ElementType& type) {
    return type.name == std::string_view("f16") ? kHalf : kBrain;
}

uint64_t float_bits(const ElementType& type, double value) {
    if (type.bytes == 2) return to_small(value, small_format(type), Modes::rn);
    return type.bytes == 8 ? std::bit_cast<uint64_t>(value)
                           : std::bit_cast<uint32_t>(static_cast<float>(value));
}
uint64_t whole_bits(const ElementType& type, const std::string& text) {
    const char* end = text.data() + text.size();
    uint64_t natural = 0;
    if (auto read = std::from_chars(text.data(), end, natural);
        type.bytes == 8 && !type.is_signed && read.ptr == end && read.ec == std::errc())
        return natural;  // beyond int64 too
    int bits = 8 * type.bytes;
    int64_t number = 0;
    if (!parse_integer(text, number)) reject("\"" + text + "\" is no whole number that fits");
    bool fits = type.is_signed
                    ? bits == 64 || (number >> (bits - 1) == 0 || number >> (bits - 1) == -1)
                    : number >= 0 && (bits == 64 || number >> bits == 0);
    if (!fits) reject(fmt::format("{} does not fit into {}", text, type.name));
    return static_cast<uint64_t>(number);
}

bool is_below(const ElementType& type, uint64_t a, uint64_t b) {
    if (type.is_float) return float_value(type, a) < float_value(type, b);
    if (type.is_signed) return static_cast<int64_t>(a) < static_cast<int64_t>(b);
    return a < b;
}

// 53 bits that look random, as a number from 0 to below 1.
double fraction(uint64_t index) {
    uint64_t bits = uint64_t{unique_word(static_cast<uint32_t>(2 * index))} << 32 |
                    unique_word(static_cast<uint32_t>(2 * index + 1));
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

uint64_t bits_at(const ElementType& type, const BufferFill& fill, uint64_t index) {
    if (fill.kind == BufferFill::Kind::same) return fill.first;
    bool is_range = fill.kind == BufferFill::Kind::range;
    if (type.is_float) {
        double first = float_value(type, fill.first), second = float_value(type, fill.second);
        return float_bits(type, is_range ? first + fraction(index) * (second - first)
                                         : first + static_cast<double>(index) * second);
    }
    if (!is_range) return fill.first + index * fill.second;  // goes round at the type's end
    uint64_t numbers = fill.second - fill.first + 1;         // 0: all that 64 bits have
    uint64_t any = uint64_t{unique_word(static_cast<uint32_t>(2 * index))} << 32 |
                   unique_word(static_cast<uint32_t>(2 * index + 1));
    return fill.first + (numbers == 0 ? any : any % numbers);
}

// The '+' between two numbers: no sign, and not an exponent's.
size_t plus_in(std::string_view text) {
    for (size_t at = 1; at < text.size(); ++at)
        if (text[at] == '+' && text[at - 1] != 'e' && text[at - 1] != 'E') return at;
    return text.npos;
}

void read_file_into(std::span<std::byte> buffer, const std::string& name, const fs::path& beside) {
    std::error_code ignored;
    fs::path path = name;
    if (path.is_relative() && !fs::exists(path, ignored) && fs::exists(beside / path, ignored))
        path = beside / path;
    std::string bytes = read_file(path);
    if (bytes.size() != buffer.size())
        reject(fmt::format("{} has {} bytes, and the buffer {}", path.string(),
                           with_thousands(bytes.size()), with_thousands(buffer.size())));
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
}

}  // namespace

double float_value(const ElementType& type, uint64_t bits) {
    if (type.bytes == 2) return from_small(static_cast<uint16_t>(bits), small_format(type));
    return type.bytes == 8 ? std::bit_cast<double>(bits)
                           : std::bit_cast<float>(static_cast<uint32_t>(bits));
}

const ElementType* find_element_type(std::string_view name) {
    for (const ElementType& type : kTypes)
        if (name == type.name) return &type;
    return nullptr;
}

uint64_t element_bits(const ElementType& type, const std::string& text) {
    if (!type.is_float) return whole_bits(type, text);
    char* end = nullptr;
    double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') reject("\"" + text + "\" is no number");
    return float_bits(type, number);
}

BufferFill read_fill(const ElementType& type, std::string_view text) {
    BufferFill fill;
    if (text.empty()) return fill;
    if (text[0] != '=' || text.size() == 1)
        reject(
            fmt::format("behind the brackets stands nothing, or what the buffer holds: =0, "
                        "=0+4 (0, 4, 8, …), =0..99 (between) or =@FILE, not \"{}\"",
                        text));
    text.remove_prefix(1);
    if (text[0] == '@') {
        fill.kind = BufferFill::Kind::file;
        fill.file = text.substr(1);
        if (fill.file.empty()) reject("=@ wants the name of a file");
        return fill;
    }
    size_t dots = text.find(".."), plus = plus_in(text);
    if (dots != text.npos) {
        fill.kind = BufferFill::Kind::range;
        fill.first = element_bits(type, std::string(text.substr(0, dots)));
        fill.second = element_bits(type, std::string(text.substr(dots + 2)));
        if (is_below(type, fill.second, fill.first))
            reject(fmt::format("\"{}\" goes from the smaller to the larger", text));
    } else if (plus != text.npos) {
        fill.kind = BufferFill::Kind::sequence;
        fill.first = element_bits(type, std::string(text.substr(0, plus)));
        fill.second = element_bits(type, std::string(text.substr(plus + 1)));
    } else {
        fill.kind = BufferFill::Kind::same;
        fill.first = element_bits(type, std::string(text));
    }
    return fill;
}

void fill_buffer(std::span<std::byte> buffer, const BufferFill& fill, const ElementType& type,
                 const fs::path& beside) {
    if (fill.kind == BufferFill::Kind::file) return read_file_into(buffer, fill.file, beside);
    auto size = static_cast<size_t>(type.bytes);
    for (size_t i = 0; i < buffer.size() / size; ++i) {
        uint64_t bits = bits_at(type, fill, i);
        std::memcpy(&buffer[i * size], &bits, size);
    }
}

}  // namespace lanewise
