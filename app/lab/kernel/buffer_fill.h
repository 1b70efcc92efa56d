// What a buffer holds before the launch, as --arg says it behind the brackets. Kernels that follow
// an index from memory (sparse rows, graphs, hash tables) need it; without one every 4-byte word
// of the buffer is different (sim/memory/memory.h).
//   i32[1025]=0            every element is 0
//   i32[1025]=0+4          0, 4, 8, …: the first and the step
//   i32[4096]=0..1023      each somewhere from 0 to 1023, always the same ones
//   f16[4096]=-1..1        likewise; 1 itself is left out
//   i32[1025]=@rows.bin    the bytes of a file, little-endian, as many as the buffer has
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace lanewise {

// The types of --arg: "f32" and so on.
struct ElementType {
    const char* name;
    int bytes;
    bool is_float, is_signed;
};
const ElementType* find_element_type(std::string_view name);  // null for none

// The bits of a value of that type. Throws Error(bad_input) that says why `text` is none.
uint64_t element_bits(const ElementType& type, const std::string& text);

double float_value(const ElementType& type, uint64_t bits);  // of a float

struct BufferFill {
    enum class Kind : uint8_t { unique_words, same, sequence, range, file };
    Kind kind = Kind::unique_words;
    uint64_t first = 0, second = 0;  // bits: the first and the step, or the bounds
    std::string file{};
};

// What stands behind the brackets: "" or "=…". Throws Error(bad_input) that says why, alone.
BufferFill read_fill(const ElementType& type, std::string_view text);

// Not of Kind::unique_words. A file that is no absolute path is looked for in the current folder,
// then in `beside`. Throws Error(bad_input) where it cannot be read or has another size.
void fill_buffer(std::span<std::byte> buffer, const BufferFill& fill, const ElementType& type,
                 const std::filesystem::path& beside);

}  // namespace lanewise
