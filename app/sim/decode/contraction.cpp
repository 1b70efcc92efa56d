#include "sim/decode/contraction.h"

#include <algorithm>

namespace lanewise {

namespace {

using ptx::Instruction;
using ptx::Operand;
using Kind = ptx::Operand::Kind;

// mul, add or sub of floats that leaves the rounding open.
bool is_open(const Instruction& instruction, std::string_view opcode) {
    static constexpr std::string_view types[] = {"f32", "f64", "f16", "f16x2", "bf16", "bf16x2"};
    const auto& parts = instruction.parts;
    if (parts[0] != opcode || instruction.guarded || instruction.operands.size() != 3) return false;
    size_t last = parts.size() - 1;
    bool is_float = std::find(std::begin(types), std::end(types), parts[last]) != std::end(types);
    return is_float && (last == 1 || (last == 2 && parts[1] == "ftz"));
}

template <class F>
void each_register(const Operand& operand, F f) {
    if (operand.kind == Kind::reg || operand.has_base) f(operand.reg);
    for (const Operand& element : operand.elements) each_register(element, f);
}

class Finder {
  public:
    explicit Finder(const ptx::Kernel& kernel)
        : instructions_(kernel.instructions), leads_(kernel.instructions.size() + 1) {
        uint32_t registers[] = {kernel.predicates, kernel.words, kernel.wides};
        for (size_t kind = 0; kind < 3; ++kind) mentioned_[kind].resize(registers[kind]);
        for (const Instruction& instruction : instructions_)
            for (const Operand& operand : instruction.operands) note(operand);
    }

    std::map<uint32_t, Instruction> run() {
        std::map<uint32_t, Instruction> result;
        std::map<std::pair<ptx::RegisterKind, uint32_t>, uint32_t> products;  // of this block
        for (uint32_t i = 0; i < instructions_.size(); ++i) {
            const Instruction& now = instructions_[i];
            if (leads_[i]) products.clear();
            if (is_open(now, "mul") && now.operands[0].kind == Kind::reg) {
                products[{now.operands[0].reg.kind, now.operands[0].reg.index}] = i;
                continue;
            }
            if (!is_open(now, "add") && !is_open(now, "sub")) continue;
            for (size_t which : {1u, 2u}) {
                const Operand& operand = now.operands[which];
                if (operand.kind != Kind::reg) continue;
                auto product = products.find({operand.reg.kind, operand.reg.index});
                if (product == products.end() || !fits(product->second, i, operand.reg)) continue;
                result[i] = fused(instructions_[product->second], now, which);
                break;
            }
        }
        return result;
    }

  private:
    void note(const Operand& operand) {
        each_register(operand, [&](ptx::Register reg) {
            uint8_t& count = mentioned_[static_cast<size_t>(reg.kind)][reg.index];
            count = static_cast<uint8_t>(std::min(count + 1, 255));
        });
        if (operand.kind == Kind::label) leads_[std::min<uint64_t>(operand.value, leads_.size() - 1)] = true;
        for (const Operand& element : operand.elements)
            if (element.kind == Kind::label)
                leads_[std::min<uint64_t>(element.value, leads_.size() - 1)] = true;
    }

    // The product is named where it is made and where it is added, and its factors are still there.
    bool fits(uint32_t product, uint32_t sum, ptx::Register reg) const {
        constexpr uint32_t kFar = 1024;  // instructions; bounds the search
        const Instruction& mul = instructions_[product];
        bool is_alike =
            std::equal(mul.parts.begin() + 1, mul.parts.end(), instructions_[sum].parts.begin() + 1,
                       instructions_[sum].parts.end());
        if (!is_alike || mentioned_[static_cast<size_t>(reg.kind)][reg.index] != 2 ||
            sum - product > kFar)
            return false;
        for (uint32_t i = product; i < sum; ++i) {
            if (instructions_[i].operands.empty()) continue;
            bool is_changed = false;
            each_register(instructions_[i].operands[0], [&](ptx::Register written) {
                for (size_t factor : {1u, 2u})
                    is_changed |= mul.operands[factor].kind == Kind::reg &&
                                  mul.operands[factor].reg == written;
            });
            if (is_changed) return false;
        }
        return true;
    }

    // a b + c, a b - c or c - a b
    static Instruction fused(const Instruction& mul, const Instruction& sum, size_t which) {
        Instruction result = sum;
        bool is_sum = sum.parts[0] == "add";
        result.parts[0] = is_sum ? "fma" : which == 1 ? "fused_less" : "less_fused";
        result.parts.insert(result.parts.begin() + 1, "rn");
        result.operands = {sum.operands[0], mul.operands[1], mul.operands[2],
                           sum.operands[3 - which]};
        return result;
    }

    const std::vector<Instruction>& instructions_;
    std::vector<bool> leads_;            // a block of instructions that are executed in turn
    std::vector<uint8_t> mentioned_[3];  // how often, by kind and index
};

}  // namespace

std::map<uint32_t, Instruction> contractions(const ptx::Kernel& kernel) {
    return Finder(kernel).run();
}

}  // namespace lanewise
