#include "compile/elf.h"

#include <string>

#include "base/error.h"

namespace lanewise {

void Elf::fail(const char* reason) {
    throw Error(Status::bad_input, std::string("cannot read the cubin: ") + reason +
                                       "; clear the cache folder and compile again");
}

static uint64_t plus(uint64_t a, uint64_t b) {
    if (a > UINT64_MAX - b) Elf::fail("a section lies beyond its end");
    return a + b;
}

// The zero-ended string at byte `at`, without its zero; empty where there is none.
static std::string_view text(std::string_view strings, uint64_t at) {
    if (at >= strings.size()) return {};
    return strings.substr(at, strings.find('\0', at) - at);
}

Elf::Elf(std::string_view bytes) : bytes_(bytes) {
    auto header = read<Elf64_Ehdr>(bytes_, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) fail("it is not an ELF file");
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_CUDA)
        fail("it is not 64-bit CUDA code");
    if (header.e_shentsize != sizeof(Elf64_Shdr)) fail("its section headers have a strange size");
    for (uint64_t i = 0; i < header.e_shnum; ++i)
        sections_.push_back(read<Elf64_Shdr>(bytes_, plus(header.e_shoff, i * sizeof(Elf64_Shdr))));
    if (header.e_shstrndx >= sections_.size()) fail("it has no section names");
    names_ = contents(sections_[header.e_shstrndx]);
}

const Elf64_Shdr* Elf::section(std::string_view name) const {
    for (const Elf64_Shdr& section : sections_)
        if (text(names_, section.sh_name) == name) return &section;
    return nullptr;
}

std::vector<std::pair<std::string_view, std::string_view>> Elf::sections() const {
    std::vector<std::pair<std::string_view, std::string_view>> all;
    for (const Elf64_Shdr& section : sections_)
        all.emplace_back(text(names_, section.sh_name), contents(section));
    return all;
}

uint32_t Elf::index_of(const Elf64_Shdr& section) const {
    return static_cast<uint32_t>(&section - sections_.data());
}

std::string_view Elf::contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS) return {};
    if (section.sh_offset > bytes_.size() || section.sh_size > bytes_.size() - section.sh_offset)
        fail("a section lies beyond its end");
    return bytes_.substr(section.sh_offset, section.sh_size);
}

std::pair<std::string_view, std::string_view> Elf::symbols() const {
    const Elf64_Shdr* table = section(".symtab");
    if (!table || table->sh_link >= sections_.size()) return {};
    return {contents(*table), contents(sections_[table->sh_link])};
}

int64_t Elf::symbol(std::string_view name) const {
    auto [symbols, names] = this->symbols();
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym))
        if (text(names, read<Elf64_Sym>(symbols, at).st_name) == name)
            return static_cast<int64_t>(at / sizeof(Elf64_Sym));
    return -1;
}

std::vector<Elf::Relocation> Elf::relocations(std::string_view name) const {
    std::vector<Relocation> result;
    std::string_view symbols = this->symbols().first;
    for (std::string_view prefix : {".rel", ".rela"}) {
        const Elf64_Shdr* table = section(std::string(prefix) + std::string(name));
        if (!table) continue;
        bool has_addend = table->sh_type == SHT_RELA;
        uint64_t size = has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        std::string_view entries = contents(*table);
        for (uint64_t at = 0; at + size <= entries.size(); at += size) {
            auto entry = read<Elf64_Rel>(entries, at);
            uint64_t addend =
                has_addend ? read<uint64_t>(entries, at + offsetof(Elf64_Rela, r_addend)) : 0;
            auto symbol = read<Elf64_Sym>(symbols, ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym));
            // Sums may wrap: an absurd offset finds no code, and is never used to read.
            result.push_back({entry.r_offset, symbol.st_shndx, symbol.st_value + addend});
        }
    }
    return result;
}

}  // namespace lanewise
