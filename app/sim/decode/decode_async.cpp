#include "sim/decode/decode_async.h"

#include <algorithm>
#include <string>

#include "sim/async/async_copy.h"
#include "sim/async/bulk_copy.h"
#include "sim/async/mbarrier.h"
#include "sim/async/tensor_copy.h"

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

    // cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], bytes,
    // [barrier] {, blocks} {, cache policy}
    void bulk_load() {
        operand_count(4 + has("multicast::cluster"));
        AsyncOperands& operands = keep();
        operands.to = address(operand(0), Where::shared);
        operands.from = address(operand(1), Where::global);
        operands.size = rows_.source(operand(2), false);
        operands.barrier = address(operand(3), Where::shared);
        multicast(4, operands);
        op_.execute = run_bulk_load;
    }
    // cp.async.bulk.global.shared::cta.bulk_group [to], [from], bytes {, cache policy}
    void bulk_store() {
        operand_count(3);
        AsyncOperands& operands = keep();
        operands.to = address(operand(0), Where::global);
        operands.from = address(operand(1), Where::shared);
        operands.size = rows_.source(operand(2), false);
        op_.execute = run_bulk_store;
    }
    // cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [from], bytes,
    // [barrier]
    void shared_copy() {
        operand_count(4);
        AsyncOperands& operands = keep();
        operands.to = address(operand(0), Where::shared);
        operands.from = address(operand(1), Where::shared);
        operands.size = rows_.source(operand(2), false);
        operands.barrier = address(operand(3), Where::shared);
        op_.execute = run_shared_copy;
    }
    // cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [to],
    // [map, {x, y}], [barrier] {, offsets of im2col} {, blocks} {, cache policy}
    void tensor_load() {
        size_t next = has("im2col") ? 4 : 3;
        operand_count(next + has("multicast::cluster"));
        AsyncOperands& operands = keep();
        operands.to = address(operand(0), Where::shared);
        box(operand(1), operands);
        operands.is_im2col = has("im2col");
        if (operands.is_im2col) im2col_offsets(operand(3), operands);
        operands.barrier = address(operand(2), Where::shared);
        multicast(next, operands);
        op_.execute = run_tensor_load;
    }
    // cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [map, {x, y}], [from]; tile or
    // im2col_no_offs
    void tensor_store() {
        operand_count(2);
        AsyncOperands& operands = keep();
        box(operand(0), operands);
        operands.is_im2col = has("im2col_no_offs");
        operands.from = address(operand(1), Where::shared);
        op_.execute = run_tensor_store;
    }
    void bulk_commit() { op_.execute = run_bulk_commit; }
    void bulk_wait() {
        wait();
        op_.c_flip = has("read");
        op_.execute = run_bulk_wait;
    }
    // What concerns caches, other blocks of a cluster or the next launch has no effect here.
    void nothing() {
        op_.execute = [](Warp&, const Op&) {};
    }
    // barrier.cluster.wait: in a cluster of one block, where every thread has arrived before it
    // waits, a barrier of the block. No named barrier has this number.
    void cluster_wait() {
        op_.flow = Flow::barrier;
        op_.elements = static_cast<uint8_t>(Barrier::sync);
        op_.a = rows_.constant(16, false);
        op_.has_base = false;
    }
    // createpolicy…b64 policy, …
    void policy() {
        op_.a = rows_.constant(0, true);
        op_.d = rows_.destination(operand(0), true);
        op_.execute = [](Warp& w, const Op& op) { copy_row(w, w.wides(op.a), w.wides(op.d)); };
    }

  private:
    static constexpr size_t kNone = ~size_t{0};

    template <class T>
    static void copy_row(Warp& w, const T* from, T* to) {
        for (int n = 0; n < kLanes; ++n)
            if (w.lanes >> n & 1) to[n] = from[n];
    }

    // And one more where there is a cache policy.
    void operand_count(size_t count) const {
        if (now_.operands.size() != count + has("L2::cache_hint")) rows_.unknown();
    }

    // The mask of blocks that .multicast::cluster has, at this place.
    void multicast(size_t at, AsyncOperands& operands) {
        operands.multicasts = has("multicast::cluster");
        if (operands.multicasts) operands.blocks = rows_.source(operand(at), false);
    }

    // [map, {x, y}] of an instruction with .2d in its name
    void box(const ptx::Operand& operand, AsyncOperands& operands) {
        operands.map = address(operand, Where::generic);
        operands.dimensions = static_cast<uint32_t>(operand.elements.size());
        bool is_known = operands.dimensions >= 1 && operands.dimensions <= 5 &&
                        has(std::to_string(operands.dimensions) + "d");
        for (std::string_view part : now_.parts)
            is_known = is_known && !part.starts_with("im2col::") && !part.starts_with("tile::");
        if (!is_known) rows_.unknown();
        for (size_t i = 0; i < operands.dimensions; ++i)
            operands.coordinates[i] = rows_.source(operand.elements[i], false);
    }
    // {w, h}: one for each dimension but channels and images
    void im2col_offsets(const ptx::Operand& operand, AsyncOperands& operands) {
        size_t count = operand.elements.size();
        if (count + 2 != operands.dimensions) rows_.unknown();
        operands.has_offsets = true;
        for (size_t i = 0; i < count; ++i)
            operands.offsets[i] = rows_.source(operand.elements[i], false);
    }
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
    std::array<std::string_view, 6> words;
    void (AsyncDecoder::*decode)();
};
constexpr std::string_view kArrives = "mbarrier::complete_tx::bytes";
constexpr Row kInstructions[] = {
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
    {{"cp", "async", "bulk", "commit_group"}, &AsyncDecoder::bulk_commit},
    {{"cp", "async", "bulk", "wait_group"}, &AsyncDecoder::bulk_wait},
    {{"cp", "async", "bulk", "prefetch"}, &AsyncDecoder::nothing},
    {{"cp", "async", "bulk", "tensor", "bulk_group", "global"}, &AsyncDecoder::tensor_store},
    {{"cp", "async", "bulk", "tensor", kArrives, "global"}, &AsyncDecoder::tensor_load},
    {{"cp", "async", "bulk", "-tensor", "bulk_group", "-cp_mask"}, &AsyncDecoder::bulk_store},
    {{"cp", "async", "bulk", "-tensor", kArrives, "global"}, &AsyncDecoder::bulk_load},
    {{"cp", "async", "bulk", "-tensor", kArrives, "shared::cta"}, &AsyncDecoder::shared_copy},
    {{"prefetch", "tensormap", ""}, &AsyncDecoder::nothing},
    {{"createpolicy", "b64", ""}, &AsyncDecoder::policy},
    {{"barrier", "cluster", "arrive"}, &AsyncDecoder::nothing},
    {{"barrier", "cluster", "wait"}, &AsyncDecoder::cluster_wait},
    {{"griddepcontrol", ""}, &AsyncDecoder::nothing},
    {{"fence", "proxy", "async", ""}, &AsyncDecoder::proxy_fence},
    {{"cp", "async", "-bulk", "wait_all"}, &AsyncDecoder::wait_all},
    {{"cp", "async", "-bulk", "shared", "global"}, &AsyncDecoder::copy},
    {{"cp", "async", "-bulk", "shared::cta", "global"}, &AsyncDecoder::copy},
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
    if (decoder.has("reduce")) return false;  // cp.reduce.async.bulk
    for (const Row& row : kInstructions)
        if (fits(row, instruction, decoder)) {
            (decoder.*row.decode)();
            return true;
        }
    return false;
}

}  // namespace lanewise
