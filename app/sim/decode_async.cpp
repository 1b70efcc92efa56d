#include "sim/decode_async.h"

#include <algorithm>

#include "sim/async_copy.h"

namespace lanewise {

namespace {

using Kind = ptx::Operand::Kind;
using Where = Operations::Where;

class AsyncDecoder {
  public:
    AsyncDecoder(const ptx::Instruction& instruction, Op& op, OperandRows& rows,
                 std::deque<AsyncOperands>& kept)
        : now_(instruction), op_(op), rows_(rows), kept_(kept) {}

    bool has(std::string_view part) const {
        return std::find(now_.parts.begin() + 1, now_.parts.end(), part) != now_.parts.end();
    }

    // cp.async.cg.shared.global [to], [from], 16 {, source bytes | ignore} {, cache policy}
    void copy() {
        size_t count = now_.operands.size();
        if (has("L2::cache_hint")) --count;
        if (count < 3 || count > 4 || operand(2).kind != Kind::immediate) rows_.unknown();
        uint64_t bytes = operand(2).value;
        if (bytes != 4 && bytes != 8 && bytes != 16) rows_.unknown();
        AsyncOperands& operands = keep();
        operands.to = address(operand(0), Where::shared);
        operands.from = address(operand(1), Where::global);
        operands.bytes = static_cast<uint32_t>(bytes);
        operands.source = rows_.constant(bytes, false);
        operands.ignore = rows_.false_predicate();
        if (count == 4) limit(operand(3), operands);
        op_.execute = run_cp_async;
    }
    void commit() { op_.execute = run_cp_async_commit; }
    void wait() {
        if (operand(0).kind != Kind::immediate) rows_.unknown();
        op_.targets = static_cast<uint32_t>(operand(0).value);
        op_.execute = run_cp_async_wait;
    }
    void wait_all() { op_.execute = run_cp_async_wait_all; }

  private:
    // How many bytes are read, or the predicate of the lanes that read none.
    void limit(const ptx::Operand& operand, AsyncOperands& operands) {
        bool is_predicate =
            operand.kind == Kind::reg && operand.reg.kind == ptx::RegisterKind::predicate;
        if (!is_predicate) {
            operands.source = rows_.source(operand, false);
            return;
        }
        operands.ignore = rows_.source_register(operand.reg);
        operands.ignore_flip = operand.negated ? kAllLanes : 0;
    }

    AddressRows address(const ptx::Operand& operand, Where where) {
        if (operand.kind != Kind::address) rows_.unknown();
        AddressRows result;
        result.where = where;
        result.displacement = operand.value;
        result.has_base = operand.has_base;
        if (operand.has_base) {
            result.wide = operand.reg.kind == ptx::RegisterKind::wide;
            result.row = rows_.source_register(operand.reg);
        } else if (!operand.name.empty()) {
            bool shared = operand.space == ptx::SymbolSpace::shared;
            bool global = operand.space == ptx::SymbolSpace::module;
            if (where == Where::shared ? !shared : !global) rows_.unknown();
        }
        return result;
    }
    const ptx::Operand& operand(size_t i) const {
        if (i >= now_.operands.size()) rows_.unknown();
        return now_.operands[i];
    }
    AsyncOperands& keep() {
        AsyncOperands& operands = kept_.emplace_back();
        op_.immediate = reinterpret_cast<uint64_t>(&operands);
        return operands;
    }

    const ptx::Instruction& now_;
    Op& op_;
    OperandRows& rows_;
    std::deque<AsyncOperands>& kept_;
};

// The first row whose words the instruction has, in this order, decodes it; "-" before a word: it
// must not be there.
struct Row {
    std::array<std::string_view, 4> words;
    void (AsyncDecoder::*decode)();
};
constexpr Row kRows[] = {
    {{"cp", "async", "-bulk", "commit_group"}, &AsyncDecoder::commit},
    {{"cp", "async", "-bulk", "wait_group"}, &AsyncDecoder::wait},
    {{"cp", "async", "wait_all", ""}, &AsyncDecoder::wait_all},
    {{"cp", "async", "shared", "global"}, &AsyncDecoder::copy},
    {{"cp", "async", "shared::cta", "global"}, &AsyncDecoder::copy},
};

bool fits(const Row& row, const ptx::Instruction& instruction, const AsyncDecoder& decoder) {
    if (instruction.parts[0] != row.words[0]) return false;
    return std::all_of(row.words.begin() + 1, row.words.end(), [&](std::string_view word) {
        if (word.empty()) return true;
        return word[0] == '-' ? !decoder.has(word.substr(1)) : decoder.has(word);
    });
}

}  // namespace

bool decode_async(const ptx::Instruction& instruction, Op& op, OperandRows& rows,
                  std::deque<AsyncOperands>& kept) {
    AsyncDecoder decoder(instruction, op, rows, kept);
    for (const Row& row : kRows)
        if (fits(row, instruction, decoder)) {
            (decoder.*row.decode)();
            return true;
        }
    return false;
}

}  // namespace lanewise
