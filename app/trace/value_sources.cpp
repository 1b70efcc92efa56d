#include "trace/value_sources.h"

#include <algorithm>
#include <set>

#include "ptx/parts.h"

namespace lanewise {
namespace {

using ptx::Operand;
using ptx::RegisterKind;

// visit(register) for those of values in an operand: not predicates, and not addresses.
template <typename Visit>
void for_each_register(const Operand& operand, Visit visit) {
    if (operand.kind == Operand::Kind::reg && operand.reg.kind != RegisterKind::predicate)
        visit(operand.reg);
    if (operand.kind == Operand::Kind::vector || operand.kind == Operand::Kind::pair)
        for (const Operand& element : operand.elements) for_each_register(element, visit);
}

size_t side_of(ptx::Register reg) { return reg.kind == RegisterKind::wide; }

}  // namespace

void ValueSources::find_writers() {
    for (size_t i = 0; i < kernel_->instructions.size(); ++i) {
        const ptx::Instruction& instruction = kernel_->instructions[i];
        if (instruction.operands.empty()) continue;
        for_each_register(instruction.operands[0], [&](ptx::Register reg) {
            auto& writers = writers_[side_of(reg)];
            if (writers.size() <= reg.index) writers.resize(reg.index + 1);
            writers[reg.index].push_back(static_cast<uint32_t>(i));
        });
    }
}

std::vector<uint32_t> ValueSources::find(uint32_t instruction) const {
    std::vector<ptx::Register> open;
    std::vector<bool> seen[2] = {std::vector<bool>(writers_[0].size()),
                                 std::vector<bool>(writers_[1].size())};
    auto visit = [&](ptx::Register reg) {
        auto& known = seen[side_of(reg)];
        if (reg.index >= known.size() || known[reg.index]) return;
        known[reg.index] = true;
        open.push_back(reg);
    };
    const ptx::Instruction& store = kernel_->instructions[instruction];
    for (size_t i = 1; i < store.operands.size(); ++i) for_each_register(store.operands[i], visit);
    std::set<uint32_t> loads;
    while (!open.empty()) {
        ptx::Register reg = open.back();
        open.pop_back();
        for (uint32_t writer : writers_[side_of(reg)][reg.index]) {
            const ptx::Instruction& at = kernel_->instructions[writer];
            const std::string& name = at.parts[0];
            if (name == "ld" && has_part(at, "global")) loads.insert(writer);
            if (name == "ld" || name == "ldu" || name == "ldmatrix") continue;
            for (size_t i = 1; i < at.operands.size(); ++i)
                for_each_register(at.operands[i], visit);
        }
    }
    return {loads.begin(), loads.end()};
}

const std::vector<uint32_t>& ValueSources::of_store(uint32_t instruction) {
    if (writers_[0].empty() && writers_[1].empty()) find_writers();
    auto found = found_.find(instruction);
    if (found == found_.end()) found = found_.emplace(instruction, find(instruction)).first;
    return found->second;
}

}  // namespace lanewise
