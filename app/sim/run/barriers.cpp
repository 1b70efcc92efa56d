// BlockRunner: bar.sync and its like, at which warps wait for each other (PTX manual, "Parallel
// Synchronization and Communication Instructions: barrier"). mbarriers are memory: mbarrier.h.
#include <algorithm>
#include <array>

#include "sim/run/block.h"

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
    if (released || unfinished == 0) return released;
    for (const WarpRun& run : warps_) {
        if (run.state != State::waiting) continue;
        fault(run, Fault::Kind::deadlock, run.barrier_instruction, run.live);
        break;
    }
    return false;
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
