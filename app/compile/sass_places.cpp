#include "compile/sass_places.h"

#include <string>

#include "base/error.h"
#include "compile/elf.h"
#include "compile/line_table.h"
#include "compile/sass.h"

namespace lanewise {

static constexpr uint64_t kCodeBits = 0x1ff, kNop = 0x118;

std::vector<SassPlace> sass_places(std::string_view cubin, std::string_view entry) {
    if (cubin.empty()) return {};
    Elf elf(cubin);
    const Elf64_Shdr* section = elf.section(".text." + std::string(entry));
    if (!section) throw Error(Status::bad_input, "the cubin has no kernel " + std::string(entry));
    std::string_view code = elf.contents(*section);
    if (code.size() % kSassInstructionBytes != 0) Elf::fail("its code ends within an instruction");
    LineTable lines = read_line_table(elf, ".nv_debug_line_sass", *section);
    std::vector<SassPlace> places;
    for (uint64_t at = 0; at < code.size(); at += kSassInstructionBytes) {
        if ((Elf::read<uint64_t>(code, at) & kCodeBits) == kNop) continue;
        SassPlace place{static_cast<uint32_t>(at)};
        if (const LineTable::Row* row = lines.at(at)) place.ptx_line = row->line;
        places.push_back(place);
    }
    return places;
}

}  // namespace lanewise
