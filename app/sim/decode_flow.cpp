// Decodes 9.7.12, control flow, and the barriers of 9.7.13.
#include <algorithm>

#include "sim/decoder.h"
#include "sim/print.h"

namespace lanewise {

using Kind = ptx::Operand::Kind;

void decode_branch(Decoder& d) {
    if (d.operand(0).kind != Kind::label) d.unknown();
    d.op().flow = Flow::branch;
    d.op().target = static_cast<uint32_t>(d.operand(0).value);
    d.flow().is_branch = true;
    d.flow().target = d.op().target;
}

// brx.idx a, targets: the a-th of a list
void decode_indexed_branch(Decoder& d) {
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

void decode_exit(Decoder& d) {
    d.op().flow = Flow::exit;
    d.flow().is_exit = true;
}

// bar.sync, bar.cta.sync, barrier.sync, barrier.cta.sync.aligned a [, threads]; bar.warp.sync is a
// row of the table.
void decode_barrier(Decoder& d) {
    const auto& parts = d.now().parts;
    bool is_block =
        parts.size() > 1 && std::all_of(parts.begin() + 1, parts.end(), [](std::string_view part) {
            return part == "sync" || part == "aligned" || part == "cta";
        });
    if (!is_block) return decode_plain(d);
    Op& op = d.op();
    op.flow = Flow::barrier;
    op.a = d.source(d.operand(0), false);
    op.has_base = d.operands() > 1;  // a number of threads
    if (op.has_base) op.b = d.source(d.operand(1), false);
}

// Functions of the module are in place already (ptx/); the system's printf is left.
void decode_call(Decoder& d) {
    bool prints = d.operands() == 4 && d.operand(0).name == "vprintf";
    for (size_t i = 1; i < d.operands(); ++i)
        prints = prints && d.operand(i).space == ptx::SymbolSpace::local;
    if (!prints) d.unknown();
    Op& op = d.op();
    op.immediate = d.operand(1).value;
    op.a = static_cast<uint32_t>(d.operand(2).value);
    op.b = static_cast<uint32_t>(d.operand(3).value);
    op.execute = run_vprintf;
}

}  // namespace lanewise
