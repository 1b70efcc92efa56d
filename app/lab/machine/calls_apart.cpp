#include "lab/machine/calls_apart.h"

#include <set>

#include "compile/sass.h"
#include "ptx/parts.h"

namespace lanewise {

using ptx::Instruction;

// The PTX lines of calls of which every copy in the machine code goes on without a barrier.
static std::set<int> lines_without_barrier(const std::vector<SassTurn>& turns) {
    std::set<int> without, with;
    for (size_t i = 0; i < turns.size(); ++i) {
        const SassTurn& turn = turns[i];
        if (turn.kind != SassTurn::Kind::pointer_call || turn.ptx_line == 0) continue;
        bool meets = i + 1 < turns.size() && turns[i + 1].kind == SassTurn::Kind::meeting &&
                     turns[i + 1].address == turn.address + kSassInstructionBytes;
        (meets ? with : without).insert(turn.ptx_line);
    }
    for (int line : with) without.erase(line);
    return without;
}

// A branch right behind the comparison of the pointer with a function's address.
static bool tells_function(const Instruction& before, const Instruction& branch) {
    return branch.parts[0] == "bra" && branch.guarded && branch.ptx_line == before.ptx_line &&
           before.parts[0] == "setp" && has_part(before, "u64");
}

void keep_calls_apart(ptx::Kernel& kernel, const std::vector<SassTurn>& turns) {
    std::set<int> lines = lines_without_barrier(turns);
    if (lines.empty()) return;
    for (size_t i = 1; i < kernel.instructions.size(); ++i) {
        Instruction& branch = kernel.instructions[i];
        if (lines.count(branch.ptx_line) != 0 && tells_function(kernel.instructions[i - 1], branch))
            branch.parts.emplace_back("apart");
    }
}

}  // namespace lanewise
