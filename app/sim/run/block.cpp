#include "sim/run/block.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "sim/operation/long_way.h"

namespace lanewise {

namespace {

std::byte* zeroed_bytes(size_t bytes) {
    auto* result = new (std::align_val_t{64}) std::byte[bytes];
    std::memset(result, 0, bytes);
    return result;
}

// One cache line more than the rows need: the same row of neighbouring warps then lies in different
// cache sets.
size_t stride_of(uint32_t state_bytes) { return (size_t{state_bytes} + 63) / 64 * 64 + 64; }

// A path or a warp that goes round in a loop may wait for another one: after so many instructions
// each gives way.
constexpr uint64_t kTurn = 4096;
// After so many turns the lanes that wait where diverged paths meet go ahead: the others may wait
// for them, as with a lock that each lane takes in turn. Only in kernels that can see others'
// stores. Where that was so once, it will be again: then turns are short, and nobody waits.
constexpr uint32_t kPatience = 8;
constexpr uint64_t kTurnWithLocks = 16;

void fill(std::byte* row, bool wide, int lane, uint64_t value) {
    if (wide)
        std::memcpy(row + 8 * lane, &value, 8);
    else
        std::memcpy(row + 4 * lane, &value, 4);
}

void fill_all(std::byte* row, bool wide, uint64_t value) {
    if (wide)
        std::fill_n(reinterpret_cast<uint64_t*>(row), kLanes, value);
    else
        std::fill_n(reinterpret_cast<uint32_t*>(row), kLanes, static_cast<uint32_t>(value));
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

    memory.load_module(kernel.variables);
    memory_.global = &memory;
    memory_.shared = shared_.get();
    memory_.shared_bytes = shared_bytes;
    memory_.arguments = arguments.data();
    memory_.argument_bytes = arguments.size();
    memory_.observer = &observer;
    steps_ = dynamic_cast<StepObserver*>(&observer);
    if (steps_ && !steps_->wants_steps()) steps_ = nullptr;
    memory_.copies = &copies_;
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
        if (per_block) {  // all lanes have the same
            Standpoint at{&shape_, static_shared_bytes_, coordinates, 0, decoded_.cluster,
                          decoded_.has_cluster};
            fill_all(run.warp.state + special.row, special.wide, special.reg->value(at));
            continue;
        }
        for (int lane = 0; lane < kLanes; ++lane) {
            Standpoint at{&shape_, static_shared_bytes_, coordinates,
                          run.warp.index * kLanes + static_cast<uint32_t>(lane),
                          decoded_.cluster, decoded_.has_cluster};
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
    run.turns = 0;
    run.has_split = run.grid_is_open = false;
    run.warp.executed = 0;
    run.warp.saved.clear();
    run.turn_began = 0;
    run.turn_ends = std::min(kTurn, limits_.instructions_per_warp);
    fill_rows(run, true, coordinates);
    for (const auto& zeroed : decoded_.zeroed)
        std::memset(run.warp.state + zeroed.row, 0, zeroed.bytes);
}

void BlockRunner::begin(uint32_t block) {
    memory_.block = block;
    uint32_t x = shape_.grid.x, y = shape_.grid.y;
    for (WarpRun& run : warps_) start(run, {block % x, block / x % y, block / x / y});
    turns_executed_ = memory_.work = 0;
    has_locks_ = has_fault_ = false;
    round_ = {};
    std::memset(shared_.get(), 0, memory_.shared_bytes);
    std::fill(local_.begin(), local_.end(), std::byte{0});
    copies_.start_block();
    arrived_.fill(0);
}

uint64_t BlockRunner::finish(uint32_t block) {
    uint64_t executed = 0;
    for (const WarpRun& run : warps_) {
        executed += run.warp.executed;
        memory_.observer->on_warp_end(block, run.warp.index, run.warp.executed);
    }
    copies_.bulk.end_block(memory_);
    memory_.observer->on_block_end(block);
    return executed;
}

uint64_t BlockRunner::run(uint32_t block) {
    begin(block);
    turns<false>();
    return finish(block);
}

// Every warp in turn, until all have finished or none can go on.
template <bool kStepped>
bool BlockRunner::turns() {
    do {
        for (; round_.warp < warps_.size(); ++round_.warp) {
            WarpRun& run = warps_[round_.warp];
            if (run.state != State::ready) continue;
            run.is_idle = false;
            Turn turn = advance<kStepped>(run);
            if (turn != Turn::ended) return turn == Turn::abandoned;
            round_.all_idle = round_.all_idle && run.is_idle;
            if (run.is_idle && round_.idle == kNone) round_.idle = round_.warp;
        }
        bool is_idle = round_.idle != kNone && round_.all_idle && round_.changes == copies_.changes;
        uint32_t idle_rounds = is_idle ? round_.idle_rounds + 1 : 0;
        if (idle_rounds == kHopeless) {
            const WarpRun& idle = warps_[round_.idle];
            fault(idle, Fault::Kind::deadlock, idle.wait_instruction, idle.live);
            return true;
        }
        round_ = {.changes = copies_.changes, .idle_rounds = idle_rounds};
    } while (release_barriers());
    return true;
}

// For a Stepper: whether it is to look before the warp's next instruction. Else that is a step.
bool BlockRunner::stops_before(WarpRun& run) {
    if (run.pc + 1 == decoded_.ops.size()) return false;  // not the kernel's own
    Stepping& s = stepping_;
    if (s.steps == s.until || (s.flags && s.flags[run.pc] && s.steps != s.began)) return true;
    ++s.steps;
    const Op& op = decoded_.ops[run.pc];
    Executed& executed = s.executed[run.warp.index * decoded_.ops.size() + run.pc];
    executed.step = s.steps;
    s.last[run.warp.index] = run.pc;
    executed.lanes |= run.lanes & (run.warp.predicate(op.guard) ^ op.guard_flip);
    return false;
}

// Runs the warp until it waits, has finished, or its turn ends.
template <bool kStepped>
BlockRunner::Turn BlockRunner::advance(WarpRun& run) {
    Warp& warp = run.warp;
    const Op* ops = decoded_.ops.data();
    for (;;) {
        if (run.pc == run.reconverge || run.lanes == 0) {
            if (!next_path(run)) return Turn::ended;
            continue;
        }
        const Op& op = ops[run.pc];
        if (op.meeting.gathers_before == run.reconverge && wait_for_others(run)) continue;
        if (warp.executed == run.turn_ends) {
            if (limits_.cancel && limits_.cancel->load(std::memory_order_relaxed))
                return Turn::abandoned;
            turns_executed_ += warp.executed - run.turn_began;
            run.turn_began = warp.executed;
            if (warp.executed == limits_.instructions_per_warp ||
                turns_executed_ + memory_.work >= limits_.instructions_per_block) {
                fault(run, Fault::Kind::runaway, op.instruction, run.lanes);
                return Turn::abandoned;
            }
            uint64_t turn = has_locks_ ? kTurnWithLocks : kTurn;
            run.turn_ends = std::min(warp.executed + turn, limits_.instructions_per_warp);
            bool patient = !decoded_.may_spin || (!run.has_split && ++run.turns % kPatience != 0);
            if (patient || !split_join(run)) give_way(run, false);
            return Turn::ended;
        }
        if (kStepped && op.flow == Flow::wait && waits_for_grid(run, op)) return Turn::ended;
        if (kStepped && stops_before(run)) return Turn::interrupted;
        if (op.flow == Flow::plain) {
            run_straight(run, &op, kStepped ? 1 : run.turn_ends - warp.executed);
            continue;
        }
        if (!kStepped && op.flow == Flow::wait && waits_for_grid(run, op)) return Turn::ended;
        ++warp.executed;
        if (steps_) steps_->on_steps(warp.index, run.pc, 1);
        uint32_t lanes = run.lanes & (warp.predicate(op.guard) ^ op.guard_flip);
        switch (op.flow) {
            case Flow::plain:
                break;  // above
            case Flow::branch:
                diverge(run, op, lanes);
                break;
            case Flow::branch_indexed:
                diverge_indexed(run, op, lanes);
                break;
            case Flow::converge:
                converge(run, op, lanes);
                break;
            case Flow::exit:
                if (&op == ops + decoded_.ops.size() - 1) --warp.executed;  // not the kernel's own
                run.live &= ~lanes;
                run.lanes &= ~lanes;
                ++run.pc;
                break;
            case Flow::wait:
                run.grid_is_open = false;
                warp.lanes = lanes;
                warp.waits = false;
                op.execute(warp, op);
                ++run.pc;
                if (!warp.waits) break;
                run.is_idle = true;
                run.wait_instruction = op.instruction;
                run.turn_ends = warp.executed;
                break;
            case Flow::stop:
                warp.lanes = lanes;
                op.execute(warp, op);
                has_fault_ = has_fault_ || lanes != 0;
                run.live &= ~lanes;
                run.lanes &= ~lanes;
                ++run.pc;
                break;
            case Flow::barrier:
                if (run.has_split && lanes != 0 && lanes != run.live &&
                    !gather(run, op, run.live & ~lanes, lanes))
                    break;
                ++run.pc;
                if (arrive(run, op, lanes)) return Turn::ended;
                break;
        }
    }
}

// The plain ops from here on, at most so many, until lanes of other ways may come.
void BlockRunner::run_straight(WarpRun& run, const Op* op, uint64_t most) {
    Warp& warp = run.warp;
    auto count = static_cast<uint32_t>(std::min<uint64_t>(op->straight, most));
    if (steps_) steps_->on_steps(warp.index, run.pc, count);
    auto execute = [&](auto before) {
        for (const Op* end = op + count; op != end; ++op) {
            ++warp.executed;
            warp.lanes = run.lanes & (warp.predicate(op->guard) ^ op->guard_flip);
            before(*op);
            op->execute(warp, *op);
        }
    };
    if (steps_)
        execute([&](const Op& now) { tell_operands(warp, now); });
    else
        execute([](const Op&) {});
    run.pc += count;
}

void BlockRunner::tell_operands(Warp& warp, const Op& op) {
    if (op.operand_rule == OperandRule::none || warp.lanes == 0) return;
    steps_->on_operands({warp.index, op.instruction, warp.lanes, long_way(warp, op), different_values(warp, op)});
}

bool BlockRunner::next_path(WarpRun& run) {
    std::erase_if(run.paths, [&](const Path& path) { return (path.lanes & run.live) == 0; });
    if (run.paths.empty()) {
        run.state = State::finished;
        return false;
    }
    run.lanes = 0;
    size_t next = runnable_path(run, true, false);
    if (next == kNone) next = runnable_path(run, true, true);
    take_path(run, next);
    return true;
}

void BlockRunner::take_path(WarpRun& run, size_t index) {
    const Path& path = run.paths[index];
    run.pc = path.pc;
    run.reconverge = path.reconverge;
    run.lanes = path.lanes & run.live;
    run.paths.erase(run.paths.begin() + static_cast<std::ptrdiff_t>(index));
}

// A path may go on where none of its lanes is on the present path or on one above it, which is
// ahead of it. The topmost or lowest such path; kNone where there is none.
size_t BlockRunner::runnable_path(const WarpRun& run, bool from_top, bool even_waiting) const {
    uint32_t ahead = run.lanes;
    size_t found = kNone;
    for (size_t i = run.paths.size(); i-- > 0;) {
        const Path& path = run.paths[i];
        uint32_t lanes = path.lanes & run.live;
        bool runnable = lanes != 0 && (lanes & ahead) == 0 && (even_waiting || !path.waits);
        ahead |= lanes;
        if (runnable) found = i;
        if (runnable && from_top) break;
    }
    return found;
}

// Lets the path that has waited longest go on in place of the present one. False where there is
// none.
bool BlockRunner::give_way(WarpRun& run, bool waits) {
    size_t next = runnable_path(run, false, false);
    if (next == kNone) return false;
    Path present{run.pc, run.reconverge, run.lanes, waits};
    take_path(run, next);
    run.paths.push_back(present);
    return true;
}

void BlockRunner::converge(WarpRun& run, const Op& op, uint32_t lanes) {
    if (lanes != 0) {
        const uint32_t* named = run.warp.words(op.target);
        uint32_t missing = named[__builtin_ctz(lanes)] & run.live & ~run.lanes;
        if (missing != 0 && !gather(run, op, missing, lanes)) return;
        OperandsEvent told = {run.warp.index, op.instruction, lanes, 0, 0};
        // Lanes that name different ones, as the tiles of a warp do, are among themselves.
        while (lanes != 0) {
            uint32_t members = named[__builtin_ctz(lanes)], same = 0;
            for (int n = 0; n < kLanes; ++n) same |= (named[n] == members ? 1u : 0u) << n;
            if (op.only_meets) same = lanes;  // perhaps at another instruction
            run.warp.lanes = lanes & same;
            if (steps_) told.values += different_values(run.warp, op);
            op.execute(run.warp, op);
            lanes &= ~same;
        }
        if (told.values > 0) steps_->on_operands(told);
    }
    ++run.pc;
}

// Lanes that have arrived where a path ahead of them will arrive go on by themselves, the innermost
// ones first. False where there are none.
bool BlockRunner::split_join(WarpRun& run) {
    uint32_t ahead = run.lanes;
    for (size_t i = run.paths.size(); i-- > 0;) {
        Path& join = run.paths[i];
        uint32_t lanes = join.lanes & run.live, arrived = lanes & ~ahead;
        if (arrived != 0 && arrived != lanes) {
            Path first{join.pc, join.reconverge, arrived};
            join.lanes = lanes & ahead;
            run.paths.push_back({run.pc, run.reconverge, run.lanes});
            run.paths.push_back(first);
            take_path(run, run.paths.size() - 1);
            run.has_split = has_locks_ = true;
            return true;
        }
        ahead |= lanes;
    }
    return false;
}

// Some lanes that must execute `op` too are on other paths. Those that wait at it already take
// part; for the rest the present path waits. False where it does. Where nobody else can come, the
// lanes that are there go on alone, as the manual leaves open what happens then. Afterwards those
// that have waited at the same place go on together, and those that came last by themselves; behind
// a barrier of the block all go on together (so seen on an H200: calls_apart.cu).
bool BlockRunner::gather(WarpRun& run, const Op& op, uint32_t missing, uint32_t& lanes) {
    // Lanes may meet at any bar.warp.sync (which has no destination); else at the same instruction.
    auto meets = [&](const Path& path) {
        const Op& theirs = decoded_.ops[path.pc];
        return path.waits && (path.pc == run.pc || (op.only_meets && theirs.only_meets));
    };
    for (const Path& path : run.paths)
        if (meets(path)) missing &= ~path.lanes;
    if (missing != 0 && give_way(run, true)) return false;
    uint32_t here = run.pc;
    Path* first = nullptr;  // of those that have waited here, which go on together
    for (Path& path : run.paths) {
        if (!meets(path)) continue;
        const Op& theirs = decoded_.ops[path.pc];
        lanes |= path.lanes & run.live & (run.warp.predicate(theirs.guard) ^ theirs.guard_flip);
        bool is_same = path.pc == here && path.reconverge == run.reconverge;
        path.waits = false;
        ++path.pc;
        if (!is_same) continue;
        if (op.flow == Flow::barrier)
            run.lanes |= std::exchange(path.lanes, 0);
        else if (first)
            first->lanes |= std::exchange(path.lanes, 0);
        else
            first = &path;
    }
    return true;
}

void BlockRunner::fault(const WarpRun& run, Fault::Kind kind, uint32_t instruction, uint32_t lanes,
                        std::string text) {
    auto lane = static_cast<uint32_t>(__builtin_ctz(lanes));
    has_fault_ = has_fault_ || kind != Fault::Kind::divergent_barrier;
    memory_.observer->on_fault({kind, Space::shared, false, 0, instruction, memory_.block,
                                run.warp.index * kLanes + lane, 0, std::move(text)});
}

template bool BlockRunner::turns<false>();
template bool BlockRunner::turns<true>();

}  // namespace lanewise
