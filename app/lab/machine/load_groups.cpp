#include "lab/machine/load_groups.h"

#include <algorithm>

#include "trace/count/memory_instructions.h"

namespace lanewise {

std::vector<int> load_groups(const std::vector<SassMemoryOperation>& sass) {
    std::vector<int> groups;
    int group = 0;
    for (const SassMemoryOperation& operation : sass) {
        if (operation.never_executes) continue;
        bool waits_not =
            operation.kind == MemoryKind::global_load || operation.kind == MemoryKind::copy_async;
        if (!waits_not) {
            ++group;
            continue;
        }
        auto line = static_cast<size_t>(std::max(operation.ptx_line, 0));
        if (line >= groups.size()) groups.resize(line + 1, -1);
        groups[line] = group;
    }
    return groups;
}

static bool goes_back(const ptx::Instruction& branch, size_t index) {
    return !branch.operands.empty() && branch.operands.back().kind == ptx::Operand::Kind::label &&
           branch.operands.back().value <= index;
}

// As above, of the PTX: where ptxas will have put the loads. It makes a guard around one access a
// predicate, and moves loads ahead of accesses to shared memory, which cannot be to the same place;
// but not past a barrier, the end of a loop, or a store to global memory.
static std::vector<int> groups_of_ptx(const ptx::Kernel& kernel) {
    std::vector<InstructionReport> accesses = memory_instructions(kernel);
    std::vector<int> access = report_indices(kernel), groups(kernel.instructions.size(), -1);
    int group = 0;
    for (size_t i = 0; i < kernel.instructions.size(); ++i) {
        const ptx::Instruction& instruction = kernel.instructions[i];
        const std::string& verb = instruction.parts[0];
        bool parts_loads =
            verb == "bar" || verb == "barrier" || (verb == "bra" && goes_back(instruction, i));
        if (access[i] >= 0) {
            const InstructionReport& report = accesses[static_cast<size_t>(access[i])];
            bool is_load =
                report.space == Space::global && !report.is_store &&
                (report.kind == AccessKind::plain || report.kind == AccessKind::async_copy);
            if (is_load) groups[i] = group;
            parts_loads |= report.space == Space::global && !is_load;
        }
        group += parts_loads;
    }
    return groups;
}

std::vector<int> load_groups(const Program& program, const ptx::Kernel& kernel) {
    if (program.cubin.empty()) return groups_of_ptx(kernel);
    std::vector<int> by_line = load_groups(sass_memory_operations(program.cubin, program.entry));
    std::vector<int> groups;
    for (const ptx::Instruction& instruction : kernel.instructions) {
        auto line = static_cast<size_t>(instruction.ptx_line);
        groups.push_back(line < by_line.size() ? by_line[line] : -1);
    }
    return groups;
}

}  // namespace lanewise
