// BlockRunner: bar.sync and its like, at which warps wait for each other (PTX manual, "Parallel
// Synchronization and Communication Instructions: barrier"). mbarriers are memory: mbarrier.h.
#include <algorithm>
#include <array>

#include "ptx/grid_barrier.h"
#include "sim/async/cluster_barrier.h"
#include "sim/operation/reach.h"
#include "sim/run/block.h"
#include "sim/warp/cluster.h"

namespace lanewise {

// True where the warp must wait. A barrier that only some of the warp's lanes reach is a fault, and
// they pass it.
bool BlockRunner::arrive(WarpRun& run, const Op& op, uint32_t lanes) {
    if (lanes == 0) return false;
    if (lanes != run.live) {
        fault(run, Fault::Kind::divergent_barrier, op.instruction, lanes);
        return false;
    }
    int lane = __builtin_ctz(lanes);
    run.barrier = run.warp.words(op.a)[lane] % static_cast<uint32_t>(arrived_.size());
    if (static_cast<Barrier>(op.elements) == Barrier::arrive) {
        arrived_[run.barrier] += kLanes;  // barriers count whole warps
        memory_.observer->on_arrive(memory_.block, run.warp.index, run.barrier);
        return false;
    }
    run.barrier_threads = op.has_base ? run.warp.words(op.b)[lane] : 0;
    run.barrier_op = &op;
    uint32_t yes = (run.warp.predicate(op.c) ^ op.c_flip) & lanes;
    run.barrier_votes = static_cast<uint32_t>(__builtin_popcount(yes));
    run.barrier_instruction = op.instruction;
    run.state = State::waiting;
    return true;
}

// False where no warp can go on: all have finished, or those that have not wait for each other.
bool BlockRunner::release_barriers() {
    bool released = false;
    size_t unfinished = 0;
    for (const WarpRun& run : warps_) unfinished += run.state != State::finished;
    for (WarpRun& first : warps_) {
        if (first.state != State::waiting) continue;
        auto with_first = [&](const WarpRun& run) {
            return run.state == State::waiting && run.barrier == first.barrier;
        };
        auto arrived = static_cast<size_t>(std::count_if(warps_.begin(), warps_.end(), with_first));
        bool complete = first.barrier_threads == 0
                            ? arrived == unfinished
                            : arrived * kLanes + arrived_[first.barrier] >= first.barrier_threads;
        if (!complete) continue;
        release(first.barrier, first.barrier_threads == 0);
        released = true;
    }
    for (const WarpRun& run : warps_) released = released || run.state == State::ready;
    if (released || unfinished == 0 || waits_for_grid()) return released;
    for (const WarpRun& run : warps_) {
        if (run.state != State::waiting) continue;
        fault(run, Fault::Kind::deadlock, run.barrier_instruction, run.live);
        break;
    }
    return false;
}

// ---- The grid's barrier (ptx/grid_barrier.h), where Together runs all blocks

bool BlockRunner::waits_for_grid() const {
    return std::any_of(warps_.begin(), warps_.end(), [](const WarpRun& run) {
        return run.state == State::waiting_for_grid;
    });
}

// Before a load that may be of the barrier's word: there a card's thread would load it until its
// top bit has changed. Here it waits, and then loads it once. True where it does.
bool BlockRunner::waits_for_grid(WarpRun& run, const Op& op) {
    uint32_t lanes = run.lanes & (run.warp.predicate(op.guard) ^ op.guard_flip);
    if (lanes == 0) return false;
    if (memory_.cluster) {
        bool before = run.wait_instruction == op.instruction;
        if (!waits_for_blocks(run.warp, op, run.grid_is_open, before)) return false;
        run.state = State::waiting_for_grid;
        run.wait_instruction = op.instruction;
        return true;
    }
    if (op.bytes == 0 || run.grid_is_open) return false;  // no load: of an mbarrier
    auto first = static_cast<size_t>(__builtin_ctz(lanes));
    uint64_t address =
        lane_addresses(run.warp, op.a, op.has_base, op.wide_base, op.immediate)[first];
    if (address - ptx::kGridWorkspace >= ptx::kGridWorkspaceBytes) return false;
    run.state = State::waiting_for_grid;
    run.wait_instruction = op.instruction;
    return true;
}

bool BlockRunner::begin_together(uint32_t block) {
    begin(block);
    turns<false>();
    return waits_for_grid() && !has_fault_;
}

bool BlockRunner::go_on() {
    open_grid();
    turns<false>();
    return waits_for_grid() && !has_fault_;
}

void BlockRunner::open_grid() {
    for (WarpRun& run : warps_) {
        if (run.state != State::waiting_for_grid) continue;
        run.state = State::ready;
        run.grid_is_open = true;
    }
    round_ = {};
}

void BlockRunner::fault_at_grid(const std::string& text) {
    for (const WarpRun& run : warps_)
        if (run.state == State::waiting_for_grid)
            return fault(run, Fault::Kind::deadlock, run.wait_instruction, run.lanes, text);
}

bool BlockRunner::has_arrived() const {
    const auto& arrived = memory_.cluster->arrived[memory_.rank];
    return std::all_of(warps_.begin(), warps_.end(), [&](const WarpRun& run) {
        return (run.live & ~arrived.lanes[run.warp.index]) == 0;
    });
}

bool BlockRunner::has_returned() const {
    return std::all_of(warps_.begin(), warps_.end(),
                       [](const WarpRun& run) { return run.live == 0; });
}

uint64_t BlockRunner::bytes() const {
    size_t rows = static_cast<size_t>(warps_.back().warp.state - rows_.get()) + decoded_.state_bytes;
    return rows + memory_.shared_bytes + local_.size() + warps_.size() * sizeof(WarpRun);
}

// What all brought to the barrier goes to all.
void BlockRunner::vote(uint32_t barrier) {
    uint32_t yes = 0, all = 0;
    auto waits = [&](const WarpRun& run) {
        return run.state == State::waiting && run.barrier == barrier;
    };
    for (const WarpRun& run : warps_) {
        if (!waits(run)) continue;
        yes += run.barrier_votes;
        all += static_cast<uint32_t>(__builtin_popcount(run.live));
    }
    for (WarpRun& run : warps_) {
        if (!waits(run)) continue;
        const Op& op = *run.barrier_op;
        auto kind = static_cast<Barrier>(op.elements);
        uint32_t result = (kind == Barrier::all ? yes == all : yes > 0) ? run.live : 0;
        if (kind == Barrier::popc)
            for (int n = 0; n < kLanes; ++n) run.warp.words(op.d)[n] = yes;
        else if (kind != Barrier::sync)
            run.warp.predicate(op.d) = result;
    }
}

void BlockRunner::release(uint32_t barrier, bool whole_block) {
    std::array<uint32_t, kMostWarps> instructions{};
    BarrierEvent event{memory_.block, 0, 0, whole_block, &instructions, barrier};
    vote(barrier);
    arrived_[barrier] = 0;
    for (WarpRun& run : warps_) {
        uint32_t bit = 1u << run.warp.index;
        if (run.state == State::finished) event.finished |= bit;
        if (run.state != State::waiting || run.barrier != barrier) continue;
        run.state = State::ready;
        event.warps |= bit;
        instructions[run.warp.index] = run.barrier_instruction;
    }
    memory_.observer->on_barrier(event);
}

}  // namespace lanewise
