#include "trace/check/atomic_use.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ptx/parts.h"

namespace lanewise {

namespace {

using ptx::Instruction;
using ptx::Operand;
using Registers = std::set<std::pair<ptx::RegisterKind, uint32_t>>;

// Every register that the operand names.
void add_registers(const Operand& operand, Registers& to) {
    bool named = operand.kind == Operand::Kind::reg ||
                 (operand.kind == Operand::Kind::address && operand.has_base);
    if (named) to.insert({operand.reg.kind, operand.reg.index});
    for (const Operand& element : operand.elements) add_registers(element, to);
}

// The first operand is where the result goes, but for an address, and where there is no result.
bool has_destination(const Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    bool none = name == "call" || name == "bar" || name == "barrier" || name == "nanosleep";
    return !none && !instruction.operands.empty() &&
           instruction.operands[0].kind != Operand::Kind::address;
}

Registers written(const Instruction& instruction) {
    Registers registers;
    if (has_destination(instruction)) add_registers(instruction.operands[0], registers);
    return registers;
}

Registers read(const Instruction& instruction) {
    Registers registers;
    for (size_t i = has_destination(instruction); i < instruction.operands.size(); ++i)
        add_registers(instruction.operands[i], registers);
    if (instruction.guarded) add_registers(instruction.guard, registers);
    return registers;
}

bool meet(const Registers& a, const Registers& b) {
    return std::any_of(a.begin(), a.end(), [&](const auto& one) { return b.contains(one); });
}

bool is_swap(const Instruction& instruction) {
    return instruction.parts[0] == "atom" && has_part(instruction, "cas");
}

bool only_moves(const Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    return name == "mov" || name == "cvt" || name == "selp";
}

// The registers whose values come, moved at most, to be what a swap expects.
Registers expected_by_swaps(const ptx::Kernel& kernel) {
    Registers expected;
    for (const Instruction& instruction : kernel.instructions)  // d, [a], expected, new
        if (is_swap(instruction) && instruction.operands.size() > 2)
            add_registers(instruction.operands[2], expected);
    for (size_t before = 0; before != expected.size();) {
        before = expected.size();
        for (const Instruction& instruction : kernel.instructions)
            if (only_moves(instruction) && meet(written(instruction), expected))
                expected.merge(read(instruction));
    }
    return expected;
}

}  // namespace

AtomicUse atomic_use(const ptx::Kernel& kernel) {
    AtomicUse use;
    use.is_unread.resize(kernel.instructions.size());
    use.feeds_swap.resize(kernel.instructions.size());
    bool has_atomics = std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                                   [](const auto& i) { return i.parts[0] == "atom"; });
    if (!has_atomics) return use;
    Registers wanted, expected = expected_by_swaps(kernel);
    for (const Instruction& instruction : kernel.instructions) wanted.merge(read(instruction));
    for (size_t i = 0; i < kernel.instructions.size(); ++i) {
        const Instruction& instruction = kernel.instructions[i];
        if (instruction.parts[0] == "atom") use.is_unread[i] = !meet(written(instruction), wanted);
        if (instruction.parts[0] == "ld") use.feeds_swap[i] = meet(written(instruction), expected);
    }
    return use;
}

}  // namespace lanewise
