#include "compile/sass_flow.h"

#include <string>

#include "base/error.h"
#include "compile/elf.h"
#include "compile/line_table.h"
#include "compile/sass_opcodes.h"

namespace lanewise {

// Bits 0 to 8, the same since Volta; and whether the target is a register and a displacement.
static constexpr struct {
    int code;
    SassTurn::Kind kind;
    SassTurn::Kind by_register = kind;
} kTurns[] = {
    {0x147, SassTurn::Kind::branch},                               // BRA
    {0x14d, SassTurn::Kind::exit},                                 // EXIT
    {0x141, SassTurn::Kind::meeting},                              // BSYNC
    {0x143, SassTurn::Kind::other, SassTurn::Kind::pointer_call},  // CALL.ABS
    {0x144, SassTurn::Kind::other, SassTurn::Kind::pointer_call},  // CALL.REL
    {0x149, SassTurn::Kind::other},                                // BRX
    {0x14a, SassTurn::Kind::other},                                // JMP
    {0x14c, SassTurn::Kind::other},                                // JMX
    {0x14f, SassTurn::Kind::other},                                // RET.ABS
    {0x150, SassTurn::Kind::other},                                // RET.REL
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
