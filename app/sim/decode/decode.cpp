#include "sim/decode/decode.h"

#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"
#include "ptx/parts.h"
#include "sim/decode/contraction.h"
#include "sim/decode/decode_async.h"
#include "sim/decode/decode_texture.h"
#include "sim/decode/decoder.h"

namespace lanewise {

namespace {

// Which family decodes an opcode; those that are not here are rows of the operations' tables.
struct Family {
    std::string_view opcode;
    void (*decode)(KernelDecoder&);
};
constexpr Family kFamilies[] = {
    {"bra", decode_branch},
    {"brx", decode_indexed_branch},
    {"ret", decode_exit},
    {"exit", decode_exit},
    {"bar", decode_barrier},
    {"barrier", decode_barrier},
    {"call", decode_call},
    {"trap", decode_trap},
    {"registers", decode_registers},
    {"prefetch", decode_hint},
    {"prefetchu", decode_hint},
    {"discard", decode_hint},
    {"applypriority", decode_hint},
    {"createpolicy", decode_hint},
    {"brkpt", decode_hint},
    {"pmevent", decode_hint},
    {"griddepcontrol", decode_hint},
    {"setmaxnreg", decode_hint},
    {"ld", decode_load},
    {"ldu", decode_load},
    {"st", decode_store},
    {"atom", decode_atomic},
    {"red", decode_atomic},
    {"tex", decode_texture},
    {"suld", decode_surface},
    {"sust", decode_surface},
    {"txq", decode_texture_query},
    {"suq", decode_texture_query},
    {"tld4", decode_no_texture},
    {"sured", decode_no_texture},
    {"ldmatrix", decode_matrix_access},
    {"stmatrix", decode_matrix_access},
    {"movmatrix", decode_matrix_move},
    {"mma", decode_mma},
    {"wmma", decode_wmma},
    {"wgmma", decode_wgmma},
    {"vadd2", decode_video},
    {"vadd4", decode_video},
    {"vsub2", decode_video},
    {"vsub4", decode_video},
    {"vavrg2", decode_video},
    {"vavrg4", decode_video},
    {"vabsdiff2", decode_video},
    {"vabsdiff4", decode_video},
    {"vmin2", decode_video},
    {"vmin4", decode_video},
    {"vmax2", decode_video},
    {"vmax4", decode_video},
    {"vset2", decode_video},
    {"vset4", decode_video},
    {"mov", decode_move},
    {"cvt", decode_convert},
    {"set", decode_set},
};

}  // namespace

Op KernelDecoder::one(const ptx::Instruction& instruction) {
    now_ = &instruction;
    op_ = Op{};
    op_.instruction = at_;
    op_.guard = always_;
    op_.d2 = op_.c = spare_predicate_;
    if (instruction.guarded) {
        op_.guard = source_register(instruction.guard.reg);
        op_.guard_flip = instruction.guard.negated ? kAllLanes : 0;
        flow().is_guarded = true;
    }
    auto decode_as = decode_plain;
    for (const Family& family : kFamilies)
        if (family.opcode == instruction.parts[0]) decode_as = family.decode;
    if (!decode_cluster(*this) && !decode_async(instruction, op_, *this, result_.async_operands))
        decode_as(*this);
    if (op_.flow == Flow::wait) result_.may_spin = true;
    return op_;
}

DecodedKernel KernelDecoder::run() {
    const std::map<uint32_t, ptx::Instruction> contracted = contractions(kernel_);
    const bool waits_for_grid = ptx::waits_for_grid(kernel_);
    const ptx::BlockLimit cluster = ptx::cluster_size(kernel_).blocks;
    result_.has_cluster = cluster.x != 0;
    if (result_.has_cluster) result_.cluster = {cluster.x, cluster.y, cluster.z};
    const bool has_others = result_.cluster.count() > 1;
    for (at_ = 0; at_ < kernel_.instructions.size(); ++at_) {
        flow_.emplace_back();
        auto fused = contracted.find(at_);
        result_.ops.push_back(
            one(fused == contracted.end() ? kernel_.instructions[at_] : fused->second));
        // A load that may be of the grid's barrier: whether it is, its address tells.
        Op& op = result_.ops.back();
        if (waits_for_grid && op.flow == Flow::plain && ptx::may_wait(kernel_.instructions[at_]) &&
            place_of(space_of(kernel_.instructions[at_])) != Operations::Where::shared)
            op.flow = Flow::wait;
        // One that may see what another block of the cluster has stored: before it others have
        // their turn, as it may be asked again and again.
        const ptx::Instruction& now = kernel_.instructions[at_];
        bool asks = ptx::may_wait(now) || ptx::has_part(now, "cas") || ptx::has_part(now, "exch");
        if (has_others && op.flow == Flow::plain && asks) {
            op.flow = Flow::wait;
            result_.may_spin = true;
        }
    }
    Op end;
    end.flow = Flow::exit;
    end.guard = always_;
    end.instruction = at_ == 0 ? 0 : at_ - 1;
    result_.ops.push_back(end);
    add_control_flow();
    result_.state_bytes = next_row_;
    result_.predicate_rows = predicates_;
    result_.word_rows = words_;
    result_.wide_rows = wides_;
    return std::move(result_);
}

bool DecodedKernel::is_within(uint32_t op, uint32_t loop) const {
    uint32_t at = op < loop_of.size() ? loop_of[op] : kNoExit;
    while (at != kNoExit && at != loop) at = loop_parents[at];
    return at == loop;
}

DecodedKernel decode(const ptx::Kernel& kernel) { return KernelDecoder(kernel).run(); }

}  // namespace lanewise
