// Reads a cubin as the ELF file that it is: sections, symbols, relocations. Every read is checked
// against the cubin's end; what is malformed is an Error(bad_input).
#pragma once
#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace lanewise {

// A view: the bytes must outlive it.
class Elf {
  public:
    // Throws where `bytes` does not begin like 64-bit CUDA code.
    explicit Elf(std::string_view bytes);

    // nullptr where there is none of this name. Owned by this object.
    const Elf64_Shdr* section(std::string_view name) const;
    // The index by which symbols refer to a section that section() gave.
    uint32_t index_of(const Elf64_Shdr& section) const;
    // All of them, in the file's order of headers: name and contents.
    std::vector<std::pair<std::string_view, std::string_view>> sections() const;
    // Empty where the section has no bytes in the file.
    std::string_view contents(const Elf64_Shdr& section) const;

    // The index of the symbol with this name, or -1.
    int64_t symbol(std::string_view name) const;

    // Relocations of the section of this name, whichever of the two forms they are kept in: the
    // byte to change, the section to whose address it refers, and the offset within that section.
    struct Relocation {
        uint64_t at;
        uint32_t section;
        uint64_t offset;
    };
    std::vector<Relocation> relocations(std::string_view name) const;

    // The T that begins at byte `at` of `from`. Throws where it does not fit.
    template <typename T>
    static T read(std::string_view from, uint64_t at) {
        if (at > from.size() || from.size() - at < sizeof(T)) fail("it ends too early");
        T value;
        std::memcpy(&value, from.data() + at, sizeof value);
        return value;
    }
    // Throws Error(bad_input): cannot read the cubin: `reason`; and what to do.
    [[noreturn]] static void fail(const char* reason);

  private:
    // The symbols and their names; both empty where the cubin has none.
    std::pair<std::string_view, std::string_view> symbols() const;

    std::string_view bytes_, names_;
    std::vector<Elf64_Shdr> sections_;
};

}  // namespace lanewise
