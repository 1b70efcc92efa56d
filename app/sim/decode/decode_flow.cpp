// Decodes 9.7.12, control flow, and the barriers of 9.7.13.
#include "sim/decode/decoder.h"
#include "sim/operation/print.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

// bra target    bra.apart target: likewise, but no barrier waits where its paths meet
// (lab/machine/calls_apart.h)
void decode_branch(KernelDecoder& d) {
    if (d.operand(0).kind != Kind::label) d.unknown();
    d.op().flow = Flow::branch;
    d.op().target = static_cast<uint32_t>(d.operand(0).value);
    d.flow().is_branch = true;
    d.flow().target = d.op().target;
    d.op().stays_apart = d.flow().stays_apart = d.has("apart");
}

// brx.idx a, targets: the a-th of a list
void decode_indexed_branch(KernelDecoder& d) {
    if (d.operands() != 2 || d.operand(1).kind != Kind::vector) d.unknown();
    const std::vector<ptx::Operand>& labels = d.operand(1).elements;
    std::vector<uint32_t>& targets = d.result().targets;
    Op& op = d.op();
    op.flow = Flow::branch_indexed;
    op.a = d.source(d.operand(0), false);
    op.target = static_cast<uint32_t>(targets.size());
    op.targets = static_cast<uint32_t>(labels.size());
    for (const ptx::Operand& label : labels) {
        if (label.kind != Kind::label) d.unknown();
        targets.push_back(static_cast<uint32_t>(label.value));
        d.flow().others.push_back(targets.back());
    }
    d.flow().is_branch = true;
    d.flow().target = d.flow().others.at(0);
}

void decode_exit(KernelDecoder& d) {
    d.op().flow = Flow::exit;
    d.flow().is_exit = true;
}

namespace {

// The vote of barrier.red: its result and the predicate that each thread brings, which comes last.
void barrier_vote(KernelDecoder& d, Op& op) {
    bool counts = d.has("popc");
    op.elements = static_cast<uint8_t>(counts         ? Barrier::popc
                                       : d.has("and") ? Barrier::all
                                       : d.has("or")  ? Barrier::any
                                                      : Barrier::sync);
    if (op.elements == 0 || d.operands() < 3) d.unknown();
    op.d = counts ? d.destination(d.operand(0), false) : d.predicate_destination(d.operand(0));
    op.c = d.predicate_source(d.operand(d.operands() - 1), op.c_flip);
}

}  // namespace

// barrier.sync a [, threads]    barrier.arrive a, threads    barrier.red.popc.u32 d, a [, threads],
// p and the same as bar; bar.warp.sync is a row of the table.
void decode_barrier(KernelDecoder& d) {
    if (d.has("warp") || d.has("cluster")) return decode_plain(d);
    Op& op = d.op();
    op.flow = Flow::barrier;
    op.elements = static_cast<uint8_t>(d.has("arrive") ? Barrier::arrive : Barrier::sync);
    bool votes = d.has("red");
    if (!votes && !d.has("sync") && op.elements == 0) d.unknown();
    if (votes) barrier_vote(d, op);
    size_t first = votes ? 1 : 0, count = d.operands() - (votes ? 2 : 0);
    op.a = d.source(d.operand(first), false);
    op.has_base = count > 1;  // a number of threads
    if (op.has_base) op.b = d.source(d.operand(first + 1), false);
    if (d.has("arrive") && !op.has_base) d.unknown();
}

void decode_trap(KernelDecoder& d) {
    d.op().flow = Flow::stop;
    d.op().execute = d.has("call") ? run_lost_call : d.has("stack") ? run_full_stack : run_trap;
    d.flow().is_exit = d.flow().is_fatal = true;
}

// registers.save [first, count]…    registers.restore: ptx/'s own, around a recursive call
void decode_registers(KernelDecoder& d) {
    SavedRows rows;
    for (size_t i = 0; i + 1 < d.operands(); i += 2) {
        const ptx::Register& first = d.operand(i).reg;
        uint32_t row = d.source_register(first);
        auto count = static_cast<uint32_t>(d.operand(i + 1).value);
        if (first.kind == ptx::RegisterKind::predicate) rows.predicates = {row, count};
        if (first.kind == ptx::RegisterKind::word) rows.words = {row, count};
        if (first.kind == ptx::RegisterKind::wide) rows.wides = {row, count};
    }
    d.op().execute = d.has("save") ? run_save_registers : run_restore_registers;
    d.op().immediate = reinterpret_cast<uint64_t>(&d.result().saved_rows.emplace_back(rows));
}

// Functions of the module are in place already (ptx/); those of the system are left.
void decode_call(KernelDecoder& d) {
    static constexpr struct {
        std::string_view name;
        size_t results, parameters;
        Execute execute;
        bool stops;
    } kSystem[] = {{"vprintf", 1, 2, run_vprintf, false},
                   {"malloc", 1, 1, run_malloc, false},
                   {"free", 0, 1, run_free, false},
                   {"__assertfail", 0, 5, run_assertion, true}};
    for (const auto& function : kSystem) {
        if (d.operand(0).name != function.name) continue;
        if (d.operands() != 1 + function.results + function.parameters) d.unknown();
        decltype(Op::vector) places{};
        for (size_t i = 1; i < d.operands(); ++i) {
            if (d.operand(i).space != ptx::SymbolSpace::local) d.unknown();
            d.op().has_base = d.operand(i).has_base;  // all or none: the frame of a recursive call
            if (d.op().has_base) d.op().a = d.source_register(d.operand(i).reg);
            if (i <= places.size()) places[i - 1] = static_cast<uint32_t>(d.operand(i).value);
        }
        d.op().vector = places;
        d.op().execute = function.execute;
        if (function.stops) {
            d.op().flow = Flow::stop;
            d.flow().is_exit = d.flow().is_fatal = true;
        }
        return;
    }
    d.unknown();
}

}  // namespace lanewise
