// Where the control flow of a kernel's machine code (SASS) turns, with the line of the PTX that
// each place comes from: enough to tell behind which branch ptxas has put an instruction.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanewise {

struct SassTurn {
    enum class Kind : uint8_t {
        branch,        // BRA
        exit,          // EXIT
        meeting,       // BSYNC: lanes wait for those that its barrier (BSSY) was set for
        pointer_call,  // CALL by a register
        other,         // further calls, returns and branches by a register
    };
    uint32_t address = 0;  // as in SassMemoryOperation
    Kind kind = Kind::other;
    int ptx_line = 0;  // 1-based line of Program::ptx; 0 where the cubin says nothing
};

// Of kernel `entry`, functions that it calls included, by address. Errors, and
// the empty cubin, as sass_memory_operations() has them.
std::vector<SassTurn> sass_turns(std::string_view cubin, std::string_view entry);

}  // namespace lanewise
