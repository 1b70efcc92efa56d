#include "lab/load_groups.h"

#include <algorithm>

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

std::vector<int> load_groups(const Program& program, const ptx::Kernel& kernel) {
    std::vector<int> by_line = load_groups(sass_memory_operations(program.cubin, program.entry));
    std::vector<int> groups;
    for (const ptx::Instruction& instruction : kernel.instructions) {
        auto line = static_cast<size_t>(instruction.ptx_line);
        groups.push_back(line < by_line.size() ? by_line[line] : -1);
    }
    return groups;
}

}  // namespace lanewise
