#include "compile/cubin.h"

#include <elf.h>

#include <cstring>
#include <vector>

#include "base/error.h"

namespace lanewise {

// .nv.info is a list of attributes; those of one kernel that we read. Numbers as printed by
// `readelf` of cubins whose needs `ptxas -v` had told.
static constexpr uint8_t kSizedFormat = 4, kFrameSize = 0x11, kRegisterCount = 0x2f;
// From sm_90 on, .nv.shared.<kernel> includes the system's 1 KiB; such cubins have this section.
static constexpr std::string_view kReservedSection = ".nv.shared.reserved.0";
static constexpr uint64_t kReservedBytes = 1024;

namespace {
// A cubin's sections and names. Every read is checked against the cubin's end.
class Elf {
  public:
    explicit Elf(std::string_view bytes) : bytes_(bytes) {
        auto header = read<Elf64_Ehdr>(bytes_, 0);
        if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) fail("it is not an ELF file");
        if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_CUDA)
            fail("it is not 64-bit CUDA code");
        if (header.e_shentsize != sizeof(Elf64_Shdr))
            fail("its section headers have a strange size");
        for (uint64_t i = 0; i < header.e_shnum; ++i)
            sections_.push_back(
                read<Elf64_Shdr>(bytes_, plus(header.e_shoff, i * sizeof(Elf64_Shdr))));
        if (header.e_shstrndx >= sections_.size()) fail("it has no section names");
        names_ = contents(sections_[header.e_shstrndx]);
    }

    const Elf64_Shdr* section(std::string_view name) const {
        for (const Elf64_Shdr& section : sections_)
            if (text(names_, section.sh_name) == name) return &section;
        return nullptr;
    }
    std::string_view contents(const Elf64_Shdr& section) const {
        if (section.sh_type == SHT_NOBITS) return {};
        if (section.sh_offset > bytes_.size() ||
            section.sh_size > bytes_.size() - section.sh_offset)
            fail("a section lies beyond its end");
        return bytes_.substr(section.sh_offset, section.sh_size);
    }
    // The index of the symbol with this name, or -1.
    int64_t symbol(std::string_view name) const {
        const Elf64_Shdr* table = section(".symtab");
        if (!table || table->sh_link >= sections_.size()) return -1;
        std::string_view symbols = contents(*table), strings = contents(sections_[table->sh_link]);
        for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym))
            if (text(strings, read<Elf64_Sym>(symbols, at).st_name) == name)
                return static_cast<int64_t>(at / sizeof(Elf64_Sym));
        return -1;
    }
    template <typename T>
    static T read(std::string_view from, uint64_t at) {
        if (at > from.size() || from.size() - at < sizeof(T)) fail("it ends too early");
        T value;
        std::memcpy(&value, from.data() + at, sizeof value);
        return value;
    }
    [[noreturn]] static void fail(const char* reason) {
        throw Error(Status::bad_input, std::string("cannot read the cubin: ") + reason +
                                           "; clear the cache folder and compile again");
    }

  private:
    static uint64_t plus(uint64_t a, uint64_t b) {
        if (a > UINT64_MAX - b) fail("a section lies beyond its end");
        return a + b;
    }
    static std::string_view text(std::string_view strings, uint64_t at) {
        if (at >= strings.size()) return {};
        return strings.substr(at, strings.find('\0', at) - at);
    }

    std::string_view bytes_, names_;
    std::vector<Elf64_Shdr> sections_;
};
}  // namespace

// The value of `attribute` for symbol `kernel` in .nv.info, or -1.
static int64_t kernel_attribute(std::string_view info, uint8_t attribute, int64_t kernel) {
    for (uint64_t at = 0; at + 4 <= info.size();) {
        auto format = Elf::read<uint8_t>(info, at), kind = Elf::read<uint8_t>(info, at + 1);
        uint64_t size = format == kSizedFormat ? Elf::read<uint16_t>(info, at + 2) : 0;
        if (format == kSizedFormat && kind == attribute && size >= 8 &&
            Elf::read<uint32_t>(info, at + 4) == kernel)
            return Elf::read<uint32_t>(info, at + 8);
        at += 4 + size;
    }
    return -1;
}

KernelResources kernel_resources(std::string_view cubin, std::string_view entry) {
    Elf elf(cubin);
    const Elf64_Shdr* code = elf.section(".text." + std::string(entry));
    if (!code) throw Error(Status::bad_input, "the cubin has no kernel " + std::string(entry));
    KernelResources result;
    // Before sm_90 the count is also the high byte of the code section's sh_info; later it is not.
    result.registers_per_thread = static_cast<int>(code->sh_info >> 24);
    const Elf64_Shdr* info = elf.section(".nv.info");
    int64_t symbol = elf.symbol(entry);
    if (info && symbol >= 0) {
        std::string_view attributes = elf.contents(*info);
        if (int64_t count = kernel_attribute(attributes, kRegisterCount, symbol); count >= 0)
            result.registers_per_thread = static_cast<int>(count);
        if (int64_t frame = kernel_attribute(attributes, kFrameSize, symbol); frame >= 0)
            result.local_bytes = static_cast<int>(frame);
    }
    if (const Elf64_Shdr* shared = elf.section(".nv.shared." + std::string(entry))) {
        uint64_t reserved = elf.section(kReservedSection) ? kReservedBytes : 0;
        result.static_shared_bytes =
            static_cast<int>(shared->sh_size > reserved ? shared->sh_size - reserved : 0);
    }
    return result;
}

}  // namespace lanewise
