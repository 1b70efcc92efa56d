#include "lab/machine/sunk_loads.h"

#include <algorithm>
#include <map>
#include <optional>

#include "ptx/parts.h"

namespace lanewise {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Register;

template <class F>
void each_register(const Operand& operand, F f) {
    bool has_register = operand.kind == Operand::Kind::reg ||
                        (operand.kind == Operand::Kind::address && operand.has_base);
    if (has_register) f(operand.reg);
    for (const Operand& element : operand.elements) each_register(element, f);
}

template <class F>
void each_label(Operand& operand, F f) {
    if (operand.kind == Operand::Kind::label) f(operand.value);
    for (Operand& element : operand.elements) each_label(element, f);
}

bool names(const Operand& operand, const Register& reg) {
    bool result = false;
    each_register(operand, [&](const Register& other) { result |= other == reg; });
    return result;
}

bool names(const Instruction& instruction, const Register& reg, size_t from = 0) {
    for (size_t i = from; i < instruction.operands.size(); ++i)
        if (names(instruction.operands[i], reg)) return true;
    return instruction.guarded && names(instruction.guard, reg);
}

bool is_one_of(const Instruction& instruction, std::initializer_list<std::string_view> opcodes) {
    return std::find(opcodes.begin(), opcodes.end(), instruction.parts[0]) != opcodes.end();
}

// Instructions whose first operand is written, and nothing but registers. Of others it is not
// asked: whatever they name counts as read.
bool is_plain(const Instruction& i) {
    return is_one_of(
        i, {"ld",  "mov", "add", "sub", "mul", "mad", "fma", "and", "or",   "xor",  "not",
            "shl", "shr", "cvt", "min", "max", "neg", "abs", "bfe", "selp", "setp", "cvta"});
}

bool is_turn(const Instruction& i) {
    return is_one_of(i, {"bra", "brx", "ret", "exit", "trap", "call"});
}

bool may_sink(const Instruction& i) {
    if (i.parts[0] != "ld" || i.guarded || i.operands.size() != 2) return false;
    for (const char* part : {"volatile", "relaxed", "acquire", "mmio"})
        if (has_part(i, part)) return false;
    return has_part(i, "global") || has_part(i, "shared");
}

// Whether the load may be made after `other` just as well.
bool may_pass(const Instruction& load, const Instruction& other) {
    bool to_other_space = other.parts[0] == "st" && has_part(load, "shared")
                              ? has_part(other, "global")
                              : other.parts[0] == "st" && has_part(other, "shared");
    if (!is_plain(other) && !to_other_space) return false;
    bool changes = false;
    each_register(load.operands[0], [&](const Register& value) { changes |= names(other, value); });
    each_register(load.operands[1], [&](const Register& base) {
        changes |= is_plain(other) && names(other.operands[0], base);
    });
    return !changes;
}

class Sinker {
  public:
    Sinker(ptx::Kernel& kernel, const std::vector<SassTurn>& turns)
        : instructions_(kernel.instructions), turns_(turns) {
        look();
    }

    void sink(const SassMemoryOperation& operation) {
        auto behind = std::lower_bound(
            turns_.begin(), turns_.end(), operation.address,
            [](const SassTurn& turn, uint32_t address) { return turn.address < address; });
        if (behind == turns_.begin()) return;
        const SassTurn& turn = *std::prev(behind);
        std::optional<size_t> load = only(operation.ptx_line), at = only(turn.ptx_line);
        if (!load || !at || *load >= *at || !may_sink(instructions_[*load])) return;
        if (!is_straight(*load, *at)) return;
        const Instruction& last = instructions_[*at];
        if (turn.kind == SassTurn::Kind::branch && last.parts[0] == "bra" && last.guarded)
            sink_behind(*load, *at);
        else if (turn.kind == SassTurn::Kind::exit && last.parts[0] == "st" && last.guarded)
            sink_to_store(*load, *at);
    }

  private:
    void look() {
        by_line_.clear();
        labels_.assign(instructions_.size() + 1, 0);
        for (size_t i = 0; i < instructions_.size(); ++i) {
            by_line_[instructions_[i].ptx_line].push_back(i);
            each_target(i, [&](uint64_t& target) { ++labels_[target]; });
        }
    }
    template <class F>
    void each_target(size_t i, F f) {
        for (Operand& operand : instructions_[i].operands) each_label(operand, f);
    }
    std::optional<size_t> only(int ptx_line) const {
        auto found = by_line_.find(ptx_line);
        if (ptx_line == 0 || found == by_line_.end() || found->second.size() != 1) return {};
        return found->second[0];
    }

    bool is_straight(size_t load, size_t at) const {
        for (size_t i = load + 1; i < at; ++i)
            if (is_turn(instructions_[i]) || labels_[i] > 0 ||
                !may_pass(instructions_[load], instructions_[i]))
                return false;
        return labels_[at] == 0;
    }

    void sink_behind(size_t load, size_t branch) {
        size_t next = branch + 1, target = branch;
        each_target(branch, [&](uint64_t& label) { target = label; });
        if (target == branch || next == instructions_.size() || target >= instructions_.size())
            return;
        bool stays = is_wanted(load, next), branches = is_wanted(load, target);
        if (stays == branches) return;
        // Who comes there otherwise has made the load, or not.
        const Instruction& before = instructions_[target - 1];
        bool falls_in = before.guarded || !is_one_of(before, {"bra", "ret", "exit", "trap"});
        if (stays ? labels_[next] > 0 : labels_[target] > 1 || falls_in) return;
        move(load, stays ? next : target);
    }

    void sink_to_store(size_t load, size_t store) {
        bool is_only_store = names_value(instructions_[store], load, 1);
        for (size_t i = 0; i < instructions_.size(); ++i)
            is_only_store &= i == load || i == store || !names_value(instructions_[i], load, 0);
        if (!is_only_store) return;
        instructions_[load].guarded = true;
        instructions_[load].guard = instructions_[store].guard;
        move(load, store);
    }

    bool names_value(const Instruction& instruction, size_t load, size_t from) const {
        bool result = false;
        each_register(instructions_[load].operands[0],
                      [&](const Register& value) { result |= names(instruction, value, from); });
        return result;
    }

    // Whether what the load gives may be read from instruction `start` on.
    bool is_wanted(size_t load, size_t start) {
        bool result = false;
        each_register(instructions_[load].operands[0],
                      [&](const Register& value) { result = result || is_live(value, start); });
        return result;
    }
    bool is_live(const Register& reg, size_t start) {
        std::vector<bool> seen(instructions_.size(), false);
        std::vector<size_t> open = {start};
        while (!open.empty()) {
            size_t i = open.back();
            open.pop_back();
            if (i >= instructions_.size() || seen[i]) continue;
            seen[i] = true;
            const Instruction& instruction = instructions_[i];
            bool writes = is_plain(instruction) && names(instruction.operands[0], reg);
            if (names(instruction, reg, writes ? 1 : 0)) return true;
            if (writes && !instruction.guarded) continue;
            bool goes_on =
                instruction.guarded || !is_one_of(instruction, {"bra", "ret", "exit", "trap"});
            if (goes_on) open.push_back(i + 1);
            each_target(i, [&](uint64_t& target) { open.push_back(target); });
        }
        return false;
    }

    // To before instruction `to`, as part of whatever a label there begins.
    void move(size_t load, size_t to) {
        auto first = instructions_.begin() + static_cast<std::ptrdiff_t>(load);
        std::rotate(first, first + 1, instructions_.begin() + static_cast<std::ptrdiff_t>(to));
        for (size_t i = 0; i < instructions_.size(); ++i)
            each_target(i, [&](uint64_t& target) { target -= target > load && target <= to; });
        look();
    }

    std::vector<Instruction>& instructions_;
    const std::vector<SassTurn>& turns_;
    std::map<int, std::vector<size_t>> by_line_;
    std::vector<int> labels_;  // by instruction: how many branches lead there
};

}  // namespace

void sink_loads(ptx::Kernel& kernel, const std::vector<SassMemoryOperation>& operations,
                const std::vector<SassTurn>& turns) {
    for (const Instruction& instruction : kernel.instructions)
        if (instruction.parts[0] == "brx") return;
    std::map<int, int> of_line;
    for (const SassMemoryOperation& op : operations) of_line[op.ptx_line] += !op.never_executes;
    Sinker sinker(kernel, turns);
    for (const SassMemoryOperation& op : operations) {
        bool is_load = op.kind == MemoryKind::global_load || op.kind == MemoryKind::shared_load;
        if (is_load && !op.never_executes && of_line[op.ptx_line] == 1) sinker.sink(op);
    }
}

}  // namespace lanewise
