#include "ptx/grid_barrier.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "ptx/parts.h"

namespace lanewise::ptx {

namespace {

using Kind = Operand::Kind;

bool names_workspace(const Operand& operand) {
    return operand.kind == Kind::special && (operand.name == "%envreg1" || operand.name == "%envreg2");
}

// What makes an address of two words and an offset.
bool passes_addresses_on(const Instruction& instruction) {
    static constexpr std::string_view opcodes[] = {"mov", "cvt", "cvta", "shl", "or", "add", "bfi"};
    return std::find(std::begin(opcodes), std::end(opcodes), instruction.parts[0]) !=
           std::end(opcodes);
}

class Followed {
  public:
    bool holds(const Operand& operand) const {
        if (names_workspace(operand)) return true;
        bool is_register = operand.kind == Kind::reg || (operand.kind == Kind::address && operand.has_base);
        if (is_register) return registers_.contains(key(operand.reg));
        return operand.kind == Kind::vector &&
               std::any_of(operand.elements.begin(), operand.elements.end(),
                           [&](const Operand& element) { return holds(element); });
    }
    // True where it is new.
    bool add(const Operand& operand) {
        if (operand.kind == Kind::reg) return registers_.insert(key(operand.reg)).second;
        bool is_new = false;
        if (operand.kind == Kind::vector)
            for (const Operand& element : operand.elements) is_new |= add(element);
        return is_new;
    }

  private:
    static std::pair<RegisterKind, uint32_t> key(const Register& reg) { return {reg.kind, reg.index}; }
    std::set<std::pair<RegisterKind, uint32_t>> registers_;
};

}  // namespace

ModuleVariable grid_workspace() {
    return {kGridWorkspaceName, kGridWorkspace, kGridWorkspaceBytes, false, {kGridWorkspaceBytes}};
}

bool waits_for_grid(const Kernel& kernel) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                       [](const Instruction& instruction) {
                           return std::any_of(instruction.operands.begin(),
                                              instruction.operands.end(), names_workspace);
                       });
}

bool may_wait(const Instruction& instruction) {
    return instruction.parts[0] == "ld" &&
           (has_part(instruction, "acquire") || has_part(instruction, "volatile") ||
            has_part(instruction, "relaxed"));
}

GridBarrier grid_barrier(const Kernel& kernel) {
    GridBarrier result;
    result.is_used = waits_for_grid(kernel);
    result.accesses.resize(kernel.instructions.size());
    if (!result.is_used) return result;
    Followed followed;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (const Instruction& instruction : kernel.instructions) {
            const auto& operands = instruction.operands;
            if (operands.size() < 2 || !passes_addresses_on(instruction)) continue;
            if (std::any_of(operands.begin() + 1, operands.end(),
                            [&](const Operand& operand) { return followed.holds(operand); }))
                is_new |= followed.add(operands[0]);
        }
    }
    for (size_t i = 0; i < kernel.instructions.size(); ++i)
        for (const Operand& operand : kernel.instructions[i].operands)
            if (operand.kind == Kind::address && followed.holds(operand)) result.accesses[i] = 1;
    return result;
}

}  // namespace lanewise::ptx
