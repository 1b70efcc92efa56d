#include "sim/block.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace lanewise {

namespace {

constexpr size_t kMostWarps = 32;  // of a block: 1,024 threads

std::byte* zeroed_bytes(size_t bytes) {
    auto* result = new (std::align_val_t{64}) std::byte[bytes];
    std::memset(result, 0, bytes);
    return result;
}

// One cache line more than the rows need: the same row of neighbouring warps then lies in different
// cache sets.
size_t stride_of(uint32_t state_bytes) { return (size_t{state_bytes} + 63) / 64 * 64 + 64; }

void fill(std::byte* row, bool wide, int lane, uint64_t value) {
    if (wide)
        std::memcpy(row + 8 * lane, &value, 8);
    else
        std::memcpy(row + 4 * lane, &value, 4);
}

}  // namespace

BlockRunner::BlockRunner(const ptx::Kernel& kernel, const DecodedKernel& decoded,
                         const LaunchShape& shape, std::span<const std::byte> arguments,
                         Memory& memory, Observer& observer, const Machine::Limits& limits)
    : decoded_(decoded),
      shape_(shape),
      static_shared_bytes_(kernel.shared_bytes),
      limits_(limits),
      warps_((shape.block.count() + kLanes - 1) / kLanes) {
    // The dynamic array starts at its alignment behind the static ones.
    uint64_t shared_bytes = kernel.shared_bytes;
    for (const ptx::Variable& variable : kernel.shared)
        if (variable.bytes == 0) shared_bytes = std::max<uint64_t>(shared_bytes, variable.offset);
    shared_bytes += shape.dynamic_shared_bytes;
    shared_.reset(zeroed_bytes(shared_bytes + 64));
    size_t stride = stride_of(decoded.state_bytes);
    rows_.reset(zeroed_bytes(stride * warps_.size()));
    local_.resize(size_t{kernel.local_bytes} * kLanes * warps_.size());

    memory_.global = &memory;
    memory_.shared = shared_.get();
    memory_.shared_bytes = shared_bytes;
    memory_.arguments = arguments.data();
    memory_.observer = &observer;
    for (size_t i = 0; i < warps_.size(); ++i) {
        Warp& warp = warps_[i].warp;
        warp.state = rows_.get() + stride * i;
        warp.index = static_cast<uint32_t>(i);
        warp.memory = &memory_;
        warp.local_bytes = kernel.local_bytes;
        warp.local = local_.data() + size_t{kernel.local_bytes} * kLanes * i;
        warp.predicate(kAlwaysRow) = kAllLanes;
        for (const auto& constant : decoded.constants)
            for (int lane = 0; lane < kLanes; ++lane)
                fill(warp.state + constant.row, constant.wide, lane, constant.value);
        fill_rows(warps_[i], false, {});
    }
}

void BlockRunner::fill_rows(WarpRun& run, bool per_block, Dim3 coordinates) {
    for (const auto& special : decoded_.specials) {
        if (special.reg->differs_by_block != per_block) continue;
        for (int lane = 0; lane < kLanes; ++lane) {
            Standpoint at{&shape_, static_shared_bytes_, coordinates,
                          run.warp.index * kLanes + static_cast<uint32_t>(lane)};
            fill(run.warp.state + special.row, special.wide, lane, special.reg->value(at));
        }
    }
}

void BlockRunner::start(WarpRun& run, Dim3 coordinates) {
    uint64_t threads = shape_.block.count() - uint64_t{run.warp.index} * kLanes;
    run.live = threads >= kLanes ? kAllLanes : (1u << threads) - 1;
    run.state = State::ready;
    run.pc = 0;
    run.reconverge = kNoReconvergence;
    run.lanes = run.live;
    run.paths.clear();
    run.warp.executed = 0;
    fill_rows(run, true, coordinates);
    for (const auto& zeroed : decoded_.zeroed)
        std::memset(run.warp.state + zeroed.row, 0, zeroed.bytes);
}

uint64_t BlockRunner::run(uint32_t block) {
    memory_.block = block;
    uint32_t x = shape_.grid.x, y = shape_.grid.y;
    for (WarpRun& run : warps_) start(run, {block % x, block / x % y, block / x / y});
    std::memset(shared_.get(), 0, memory_.shared_bytes);
    std::fill(local_.begin(), local_.end(), std::byte{0});

    for (bool goes_on = true; goes_on;) {
        for (WarpRun& run : warps_) {
            if (!goes_on) break;
            if (run.state == State::ready) goes_on = advance(run);
        }
        goes_on = goes_on && release_barriers();
    }
    uint64_t executed = 0;
    for (const WarpRun& run : warps_) executed += run.warp.executed;
    memory_.observer->on_block_end(block);
    return executed;
}

// Runs the warp until it waits or has finished.
bool BlockRunner::advance(WarpRun& run) {
    Warp& warp = run.warp;
    const Op* ops = decoded_.ops.data();
    for (;;) {
        if (run.pc == run.reconverge || run.lanes == 0) {
            if (!next_path(run)) return true;
            continue;
        }
        const Op& op = ops[run.pc];
        if (warp.executed == limits_.instructions_per_warp) {
            fault(run, Fault::Kind::runaway, op.instruction, run.lanes);
            return false;
        }
        ++warp.executed;
        uint32_t lanes = run.lanes & (warp.predicate(op.guard) ^ op.guard_flip);
        switch (op.flow) {
            case Flow::plain:
                warp.lanes = lanes;
                op.execute(warp, op);
                ++run.pc;
                break;
            case Flow::branch:
                diverge(run, op, lanes);
                break;
            case Flow::exit:
                if (&op == ops + decoded_.ops.size() - 1) --warp.executed;  // not the kernel's own
                run.live &= ~lanes;
                run.lanes &= ~lanes;
                ++run.pc;
                break;
            case Flow::barrier:
                ++run.pc;
                if (arrive(run, op, lanes)) return true;
                break;
        }
    }
}

bool BlockRunner::next_path(WarpRun& run) {
    while (!run.paths.empty()) {
        Path path = run.paths.back();
        run.paths.pop_back();
        path.lanes &= run.live;
        if (path.lanes == 0) continue;
        run.pc = path.pc;
        run.reconverge = path.reconverge;
        run.lanes = path.lanes;
        return true;
    }
    run.state = State::finished;
    return false;
}

// The lanes that do not branch go first; both meet at op.reconverge.
void BlockRunner::diverge(WarpRun& run, const Op& op, uint32_t taken) {
    uint32_t stay = run.lanes & ~taken;
    if (stay == 0) {
        run.pc = op.target;
        return;
    }
    if (taken == 0) {
        ++run.pc;
        return;
    }
    // Lanes that return are gone at once, as no barrier may wait for them while the others go on.
    const Op& there = decoded_.ops[op.target];
    if (there.flow == Flow::exit && there.guard == kAlwaysRow) {
        run.live &= ~taken;
        run.lanes = stay;
        ++run.pc;
        return;
    }
    // Where the paths meet at the same place as those that already wait, these are among them.
    if (op.reconverge != run.reconverge)
        run.paths.push_back({op.reconverge, run.reconverge, run.lanes});
    if (op.target != op.reconverge) run.paths.push_back({op.target, op.reconverge, taken});
    ++run.pc;
    run.reconverge = op.reconverge;
    run.lanes = stay;
}

// True where the warp must wait. A barrier that only some of the warp's lanes reach is a fault, and
// they pass it.
bool BlockRunner::arrive(WarpRun& run, const Op& op, uint32_t lanes) {
    if (lanes == 0) return false;
    if (lanes != run.live) {
        fault(run, Fault::Kind::divergent_barrier, op.instruction, lanes);
        return false;
    }
    int lane = __builtin_ctz(lanes);
    run.barrier = run.warp.words(op.a)[lane];
    run.barrier_threads = op.has_base ? run.warp.words(op.b)[lane] : 0;
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
        bool complete = first.barrier_threads == 0 ? arrived == unfinished
                                                   : arrived * kLanes >= first.barrier_threads;
        if (!complete) continue;
        release(first.barrier, first.barrier_threads == 0);
        released = true;
    }
    if (released || unfinished == 0) return released;
    for (const WarpRun& run : warps_) {
        if (run.state != State::waiting) continue;
        fault(run, Fault::Kind::deadlock, run.barrier_instruction, run.live);
        break;
    }
    return false;
}

void BlockRunner::release(uint32_t barrier, bool whole_block) {
    std::array<uint32_t, kMostWarps> instructions{};
    BarrierEvent event{memory_.block, 0, 0, whole_block, &instructions};
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

void BlockRunner::fault(const WarpRun& run, Fault::Kind kind, uint32_t instruction,
                        uint32_t lanes) {
    auto lane = static_cast<uint32_t>(__builtin_ctz(lanes));
    memory_.observer->on_fault({kind, Space::shared, false, 0, instruction, memory_.block,
                                run.warp.index * kLanes + lane, 0});
}

}  // namespace lanewise
