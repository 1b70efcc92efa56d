// The memory instructions of NVIDIA's machine code since Turing: how each is told from the others
// and where it says how wide it is.
#pragma once
#include <cstdint>
#include <string_view>

#include "compile/sass.h"

namespace lanewise {

struct SassInstruction {
    uint64_t low = 0, high = 0;
    // `count` bits from bit `first` on, 0 … 127; not across the middle.
    int bits(int first, int count) const {
        uint64_t half = first < 64 ? low : high;
        return static_cast<int>(half >> (first % 64) & ((uint64_t{1} << count) - 1));
    }
};

struct SassOpcode {
    int code;  // bits 0 to 8; bits 9 to 11 only tell where the operands are
    MemoryKind kind;
    bool is_load;
    int (*bytes_per_lane)(const SassInstruction&, int arch);
};

// The instructions behind which another one may follow than the next: their opcodes (bits 0 to 8), the same since Volta.
namespace sass_turning {
inline constexpr int kBra = 0x147, kBrx = 0x149, kJmp = 0x14a, kJmx = 0x14c, kCallAbs = 0x143, kCallRel = 0x144,
                     kRetAbs = 0x14f, kRetRel = 0x150, kExit = 0x14d, kBsync = 0x141;
}

// The architecture that a cubin's code is for, 90 for sm_90.
int sass_arch(std::string_view cubin);

// nullptr where the instruction is none of them.
const SassOpcode* sass_memory_opcode(const SassInstruction& instruction);

// Of an LDGSTS.
CopySize sass_copy_size(const SassInstruction& instruction);

}  // namespace lanewise
