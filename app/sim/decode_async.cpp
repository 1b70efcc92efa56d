#include "sim/decode_async.h"

#include <algorithm>

#include "sim/async_copy.h"
#include "sim/mbarrier.h"

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

    // mbarrier.init.shared.b64 [barrier], count
    void barrier_init() { on_barrier(0, 1, run_mbarrier_init); }
    // mbarrier.inval.shared.b64 [barrier]
    void barrier_inval() { on_barrier(0, kNone, run_mbarrier_inval); }
    // mbarrier.expect_tx.relaxed.cta.shared.b64 [barrier], bytes
    void barrier_expect() { on_barrier(0, 1, run_mbarrier_expect); }
    void barrier_complete() { on_barrier(0, 1, run_mbarrier_complete); }
    // mbarrier.arrive.shared.b64 state, [barrier] {, count}; arrive_drop; .noComplete
    void barrier_arrive() {
        on_barrier(1, now_.operands.size() > 2 ? 2 : kNone, run_mbarrier_arrive);
        if (now_.operands.size() == 2) op_.a = rows_.constant(1, false);
        arrival();
    }
    // mbarrier.arrive.expect_tx.shared.b64 state, [barrier], bytes
    void barrier_arrive_expect() {
        on_barrier(1, 2, run_mbarrier_arrive_expect);
        arrival();
    }
    // mbarrier.try_wait.shared.b64 over, [barrier], state {, time}; with .parity a parity
    void barrier_wait() {
        on_barrier(1, kNone, run_mbarrier_wait);
        op_.c_flip = has("parity");
        op_.a = rows_.source(operand(2), !op_.c_flip);
        if (now_.operands.size() > 4) rows_.unknown();
        op_.d = rows_.predicate_destination(operand(0));
        op_.flow = Flow::wait;
    }
    // mbarrier.pending_count.b64 count, state
    void barrier_pending_count() {
        op_.d = rows_.destination(operand(0), false);
        op_.a = rows_.source(operand(1), true);
        op_.execute = run_mbarrier_pending_count;
    }
    // cp.async.mbarrier.arrive.noinc.shared.b64 [barrier]
    void copy_arrive() {
        on_barrier(0, kNone, run_cp_async_arrive);
        op_.c_flip = has("noinc");
    }
    // fence.proxy.async.shared::cta
    void proxy_fence() {
        op_.execute = [](Warp& w, const Op&) {
            if (w.lanes != 0) w.memory->observer->on_proxy_fence(w.memory->block, w.index, w.lanes);
        };
    }

  private:
    static constexpr size_t kNone = ~size_t{0};

    // The operands at these places: the address of the barrier, and a word.
    void on_barrier(size_t address_at, size_t word_at, Execute execute) {
        bool shared = has("shared") || has("shared::cta") || has("shared::cluster");
        keep().barrier = address(operand(address_at), shared ? Where::shared : Where::generic);
        if (word_at != kNone) op_.a = rows_.source(operand(word_at), false);
        op_.execute = execute;
    }
    void arrival() {
        op_.c_flip = now_.parts[1] == "arrive_drop";
        op_.d = rows_.destination(operand(0), true);
    }

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
            if (!(where == Where::shared && shared) && !(where == Where::global && global))
                rows_.unknown();
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
    {{"cp", "async", "mbarrier", "arrive"}, &AsyncDecoder::copy_arrive},
    {{"mbarrier", "init", "b64", ""}, &AsyncDecoder::barrier_init},
    {{"mbarrier", "inval", "b64", ""}, &AsyncDecoder::barrier_inval},
    {{"mbarrier", "arrive", "expect_tx", "b64"}, &AsyncDecoder::barrier_arrive_expect},
    {{"mbarrier", "arrive_drop", "expect_tx", "b64"}, &AsyncDecoder::barrier_arrive_expect},
    {{"mbarrier", "arrive", "b64", ""}, &AsyncDecoder::barrier_arrive},
    {{"mbarrier", "arrive_drop", "b64", ""}, &AsyncDecoder::barrier_arrive},
    {{"mbarrier", "expect_tx", "b64", ""}, &AsyncDecoder::barrier_expect},
    {{"mbarrier", "complete_tx", "b64", ""}, &AsyncDecoder::barrier_complete},
    {{"mbarrier", "test_wait", "b64", ""}, &AsyncDecoder::barrier_wait},
    {{"mbarrier", "try_wait", "b64", ""}, &AsyncDecoder::barrier_wait},
    {{"mbarrier", "pending_count", "b64", ""}, &AsyncDecoder::barrier_pending_count},
    {{"fence", "proxy", "async", ""}, &AsyncDecoder::proxy_fence},
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
