// BlockRunner: the paths of lanes that branch apart, or leave a loop apart.
#include <algorithm>
#include <array>

#include "sim/run/block.h"

namespace lanewise {

// Where paths meet only at the kernel's end, they meet before it where all others do.
uint32_t BlockRunner::meeting(uint32_t meet, uint32_t outer) const {
    const Op& join = decoded_.ops[meet];
    bool is_end = join.flow == Flow::exit && join.guard == kAlwaysRow;
    return is_end && outer != kNoReconvergence ? outer : meet;
}

// The lanes that do not branch go first; both meet at op.meeting.reconverge.
void BlockRunner::diverge(WarpRun& run, const Op& op, uint32_t taken) {
    uint32_t stay = run.lanes & ~taken;
    const Op& there = decoded_.ops[op.target];
    bool returns = there.flow == Flow::exit && there.guard == kAlwaysRow;
    if (op.meeting.first_exit != kNoExit && !returns && leave_loop(run, op, taken)) return;
    if (stay == 0) {
        run.pc = op.target;
        return;
    }
    if (taken == 0) {
        ++run.pc;
        return;
    }
    // Lanes that return are gone at once, as no barrier may wait for them while the others go on.
    if (returns) {
        run.live &= ~taken;
        run.lanes = stay;
        ++run.pc;
        return;
    }
    if (op.stays_apart) run.has_split = true;
    uint32_t meet = meeting(op.meeting.reconverge, run.reconverge);
    // Where the paths meet at the same place as those that already wait, these are among them.
    if (meet != run.reconverge) run.paths.push_back({meet, run.reconverge, run.lanes});
    if (op.target != meet) wait_at(run, {op.target, meet, taken});
    ++run.pc;
    run.reconverge = meet;
    run.lanes = stay;
}

// The path waits, together with lanes that have come to the same place before: as those that leave
// a loop one turn after the other wait for those that stay, and go on at once.
void BlockRunner::wait_at(WarpRun& run, const Path& path) {
    for (size_t i = run.paths.size(); i-- > 0;) {
        Path& other = run.paths[i];
        if (other.pc == path.pc && other.reconverge == path.reconverge) {
            other.lanes |= path.lanes;
            return;
        }
        if (other.lanes & path.lanes) break;  // which is to go on before those below it
    }
    run.paths.push_back(path);
}

// At a place where lanes of several ways come together: takes in those that wait there. False
// where nobody else may come any more; else the present lanes wait until those behind them have.
bool BlockRunner::wait_for_others(WarpRun& run) {
    size_t lowest = kNone;
    for (size_t i = run.paths.size(); i-- > 0 && run.paths[i].reconverge == run.reconverge;) {
        if (run.paths[i].pc == run.pc) {
            run.lanes |= run.paths[i].lanes & run.live;
            run.paths.erase(run.paths.begin() + static_cast<std::ptrdiff_t>(i));
            if (lowest != kNone) --lowest;
        } else if (run.paths[i].pc < run.pc) {
            lowest = i;
        }
    }
    if (lowest == kNone) return false;
    Path present{run.pc, run.reconverge, run.lanes};
    take_path(run, run.paths.size() - 1);
    run.paths.insert(run.paths.begin() + static_cast<std::ptrdiff_t>(lowest), present);
    return true;
}

// One path for each target that some lane takes. All meet at op.meeting.reconverge; but those that leave a
// loop within which others wait for them meet behind it.
void BlockRunner::diverge_indexed(WarpRun& run, const Op& op, uint32_t taken) {
    struct Way {
        uint32_t target, lanes;
        const ControlFlow::Exit* exit;
    };
    std::array<Way, kLanes + 1> ways;
    size_t count = 0;
    bool some_leave = false;
    auto add = [&](uint32_t target, uint32_t lanes) {
        const ControlFlow::Exit* exit = exit_to(op, run.pc, target);
        bool is_apart = exit && (decoded_.is_within(run.reconverge, exit->loop) ||
                                 decoded_.is_within(op.meeting.reconverge, exit->loop));
        some_leave = some_leave || is_apart;
        ways[count++] = {target, lanes, is_apart ? exit : nullptr};
    };
    if (uint32_t stay = run.lanes & ~taken; stay != 0) add(run.pc + 1, stay);
    const uint32_t* index = run.warp.words(op.a);
    while (taken != 0) {
        uint32_t first = std::min(index[__builtin_ctz(taken)], op.targets - 1);
        uint32_t same = 0;
        for (uint32_t rest = taken; rest != 0; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            if (std::min(index[lane], op.targets - 1) == first) same |= 1u << lane;
        }
        add(decoded_.targets[op.target + first], same);
        taken &= ~same;
    }
    // Where op.meeting.reconverge lies behind the loop, those that stay meet where they would have anyway.
    bool is_near = !some_leave || decoded_.is_within(op.meeting.reconverge, decoded_.loop_of[run.pc]);
    uint32_t meet = is_near ? op.meeting.reconverge : run.reconverge;
    if (meet != run.reconverge) run.paths.push_back({meet, run.reconverge, run.lanes});
    for (const Way& way : std::span(ways).first(count)) {
        uint32_t at = way.exit ? leave(run, *way.exit, way.lanes) : meet;
        run.paths.push_back({way.target, at, way.lanes});
    }
    take_path(run, run.paths.size() - 1);
}

// The way out of a loop that leads from the branch at `pc` to `target`; null where that is none.
const ControlFlow::Exit* BlockRunner::exit_to(const Op& op, uint32_t pc, uint32_t target) const {
    for (size_t i = op.meeting.first_exit; i < decoded_.exits.size(); ++i) {
        if (decoded_.exits[i].branch != pc) break;
        if (decoded_.exits[i].target == target) return &decoded_.exits[i];
    }
    return nullptr;
}

// Where one side of the branch leaves a loop within which other lanes wait for it, these lanes go
// on first, as those that stay may wait for what they do: a lock that they have taken. False where
// neither does.
bool BlockRunner::leave_loop(WarpRun& run, const Op& op, uint32_t taken) {
    uint32_t stay = run.lanes & ~taken, next = run.pc + 1;
    for (bool branches : {true, false}) {
        uint32_t target = branches ? op.target : next, lanes = branches ? taken : stay;
        const ControlFlow::Exit* exit = exit_to(op, run.pc, target);
        if (!exit || lanes == 0 || !decoded_.is_within(run.reconverge, exit->loop)) continue;
        uint32_t others = run.lanes & ~lanes, meet = leave(run, *exit, lanes);
        if (others != 0) run.paths.push_back({branches ? next : op.target, run.reconverge, others});
        run.pc = target;
        run.reconverge = meet;
        run.lanes = lanes;
        return true;
    }
    return false;
}

// Takes lanes that leave a loop off those that are waited for within it. Returns where they meet
// the ones that stay longer.
uint32_t BlockRunner::leave(WarpRun& run, const ControlFlow::Exit& exit, uint32_t lanes) {
    auto waits_within = [&](const Path& path) {
        return (path.lanes & lanes) != 0 && decoded_.is_within(path.pc, exit.loop);
    };
    auto outermost = std::find_if(run.paths.begin(), run.paths.end(), waits_within);
    if (outermost == run.paths.end()) return kNoReconvergence;
    uint32_t outer = outermost->reconverge, meet = meeting(exit.meet, outer);
    Path join{meet, outer, outermost->lanes};
    outermost->reconverge = meet;
    for (auto path = outermost; path != run.paths.end(); ++path)
        if (waits_within(*path)) path->lanes &= ~lanes;
    if (meet != outer) run.paths.insert(outermost, join);
    return meet;
}

}  // namespace lanewise
