#include "compile/sass_flow.h"

#include <string>

#include "base/error.h"
#include "compile/elf.h"
#include "compile/line_table.h"
#include "compile/sass_opcodes.h"

namespace lanewise {

// And what it is where the target is a register and a displacement.
static constexpr struct {
    int code;
    SassTurn::Kind kind;
    SassTurn::Kind by_register = kind;
} kTurns[] = {
    {sass_turning::kBra, SassTurn::Kind::branch},
    {sass_turning::kExit, SassTurn::Kind::exit},
    {sass_turning::kBsync, SassTurn::Kind::meeting},
    {sass_turning::kCallAbs, SassTurn::Kind::other, SassTurn::Kind::pointer_call},
    {sass_turning::kCallRel, SassTurn::Kind::other, SassTurn::Kind::pointer_call},
    {sass_turning::kBrx, SassTurn::Kind::other},
    {sass_turning::kJmp, SassTurn::Kind::other},
    {sass_turning::kJmx, SassTurn::Kind::other},
    {sass_turning::kRetAbs, SassTurn::Kind::other},
    {sass_turning::kRetRel, SassTurn::Kind::other},
};

std::vector<SassTurn> sass_turns(std::string_view cubin, std::string_view entry) {
    if (cubin.empty()) return {};
    Elf elf(cubin);
    const Elf64_Shdr* section = elf.section(".text." + std::string(entry));
    if (!section) throw Error(Status::bad_input, "the cubin has no kernel " + std::string(entry));
    std::string_view code = elf.contents(*section);
    LineTable ptx = read_line_table(elf, ".nv_debug_line_sass", *section);
    std::vector<SassTurn> result;
    for (uint64_t at = 0; at + kSassInstructionBytes <= code.size(); at += kSassInstructionBytes) {
        SassInstruction instruction{Elf::read<uint64_t>(code, at),
                                    Elf::read<uint64_t>(code, at + 8)};
        for (const auto& turn : kTurns) {
            if (instruction.bits(0, 9) != turn.code) continue;
            const LineTable::Row* row = ptx.at(at);
            SassTurn::Kind kind = instruction.bits(9, 3) == 1 ? turn.by_register : turn.kind;
            result.push_back({static_cast<uint32_t>(at), kind, row ? row->line : 0});
        }
    }
    return result;
}

}  // namespace lanewise
