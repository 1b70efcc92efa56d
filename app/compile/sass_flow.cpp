#include "compile/sass_flow.h"

#include <string>

#include "base/error.h"
#include "compile/elf.h"
#include "compile/line_table.h"
#include "compile/sass_opcodes.h"

namespace lanewise {

// Bits 0 to 8, the same since Volta.
static constexpr struct {
    int code;
    SassTurn::Kind kind;
} kTurns[] = {
    {0x147, SassTurn::Kind::branch},   // BRA
    {0x14d, SassTurn::Kind::exit},     // EXIT
    {0x141, SassTurn::Kind::meeting},  // BSYNC
    {0x143, SassTurn::Kind::other},    // CALL.ABS
    {0x144, SassTurn::Kind::other},    // CALL.REL
    {0x149, SassTurn::Kind::other},    // BRX
    {0x14a, SassTurn::Kind::other},    // JMP
    {0x14c, SassTurn::Kind::other},    // JMX
    {0x14f, SassTurn::Kind::other},    // RET.ABS
    {0x150, SassTurn::Kind::other},    // RET.REL
};

// A CALL whose target is a register and a displacement, rather than a place.
static bool is_pointer_call(const SassInstruction& instruction) {
    int code = instruction.bits(0, 9), form = instruction.bits(9, 3);
    return (code == 0x143 || code == 0x144) && form == 1;
}

std::vector<SassTurn> sass_turns(std::string_view cubin, std::string_view entry) {
    constexpr uint64_t kInstructionBytes = 16;
    Elf elf(cubin);
    const Elf64_Shdr* section = elf.section(".text." + std::string(entry));
    if (!section) throw Error(Status::bad_input, "the cubin has no kernel " + std::string(entry));
    std::string_view code = elf.contents(*section);
    LineTable ptx = read_line_table(elf, ".nv_debug_line_sass", *section);
    std::vector<SassTurn> result;
    for (uint64_t at = 0; at + kInstructionBytes <= code.size(); at += kInstructionBytes) {
        SassInstruction instruction{Elf::read<uint64_t>(code, at),
                                    Elf::read<uint64_t>(code, at + 8)};
        for (const auto& turn : kTurns) {
            if (instruction.bits(0, 9) != turn.code) continue;
            const LineTable::Row* row = ptx.at(at);
            SassTurn::Kind kind =
                is_pointer_call(instruction) ? SassTurn::Kind::pointer_call : turn.kind;
            result.push_back({static_cast<uint32_t>(at), kind, row ? row->line : 0});
        }
    }
    return result;
}

}  // namespace lanewise
