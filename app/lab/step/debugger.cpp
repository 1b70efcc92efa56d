#include "lab/step/debugger.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "ptx/parts.h"
#include "trace/count/findings.h"
#include "trace/places.h"

namespace lanewise {

namespace {

// So many steps go by before a look at the clock.
constexpr uint64_t kStepsAtOnce = 500'000;

bool is_barrier(const ptx::Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    return (name == "bar" || name == "barrier") && !ptx::has_part(instruction, "warp") &&
           !ptx::has_part(instruction, "arrive");
}

}  // namespace

Debugger::Debugger(const Job& job, const Options& options)
    : recording_(job, options.recording),
      sight_(recording_),
      most_seconds_(options.most_seconds),
      stop_(options.stop) {
    start_clock();
    sight_.look_from(warp_);
    set_flags();
}

void Debugger::start_clock() { began_ = std::chrono::steady_clock::now(); }

bool Debugger::is_out_of_time() const {
    if (stop_ && stop_->load(std::memory_order_relaxed)) return true;
    std::chrono::duration<double> gone = std::chrono::steady_clock::now() - began_;
    return most_seconds_ > 0 && gone.count() > most_seconds_;
}

int Debugger::line_left() const {
    uint32_t last = recording_.stepper().last(warp_);
    return last == WarpLook::kNowhere ? 0 : sight_.line_of(last);
}

int Debugger::line() const { return sight_.line(); }

bool Debugger::is_warps_turn() const {
    const Stepper& stepper = recording_.stepper();
    return !stepper.has_ended() && stepper.warp() == warp_;
}

// Whether the warp's next instruction begins a line, or goes round to its begin.
bool Debugger::begins_line(uint32_t warp) const {
    const Stepper& stepper = recording_.stepper();
    uint32_t last = stepper.last(warp), next = stepper.look(warp).instruction;
    if (last == WarpLook::kNowhere) return true;
    int line = sight_.line_of(next);
    bool is_new = line != sight_.line_of(last) || next <= last;
    return line != 0 && is_new && sight_.is_of_statement(next);
}

// Whether a move by this unit ends here.
bool Debugger::is_at(StepUnit unit) const {
    if (!is_warps_turn()) return false;
    const Stepper& stepper = recording_.stepper();
    uint32_t last = stepper.last(warp_);
    if (unit == StepUnit::instruction || last == WarpLook::kNowhere) return true;
    const auto& code = recording_.prepared().kernel.instructions;
    if (unit == StepUnit::barrier) return is_barrier(code[last]);
    uint32_t next = stepper.look(warp_).instruction;
    int line = sight_.line_of(next);
    return line != 0 && line != sight_.line_of(last) && sight_.is_of_statement(next);
}

std::string Debugger::in_words(const Fault& fault) const {
    FaultCounts counts;
    counts[{fault.instruction, fault.kind}].add(fault, 1);
    std::vector<Finding> found = findings(counts, recording_.prepared().kernel, recording_.shape(),
                                          recording_.launch().memory);
    const Finding& finding = found.front();
    return fmt::format("block {}, thread {}: {}", finding.block, finding.thread, finding.message);
}

// What the kernel printed in the steps since then, in the order in which it did.
void Debugger::take_prints(StepStop& stop, StepMoment began) {
    constexpr size_t kMost = 20;
    std::vector<StepPrint> prints = recording_.take_prints();
    std::erase_if(prints, [&](const StepPrint& each) {
        return each.at < began || !(each.at < recording_.now());
    });
    for (size_t i = 0; i < std::min(kMost, prints.size()); ++i)
        stop.notes.push_back(fmt::format("printed by block {}, thread {}: {}",
                                         coordinates(prints[i].at.block, recording_.shape().grid),
                                         coordinates(prints[i].thread, recording_.shape().block),
                                         trimmed(prints[i].text)));
    if (prints.size() > kMost)
        stop.notes.push_back(fmt::format("… and {} more prints", prints.size() - kMost));
}

// Goes back to before the first step behind `began` that went wrong; the step at `began` itself is
// one that the user has seen.
bool Debugger::take_faults(StepMoment began, StepStop& stop) {
    for (const StepFault& each : recording_.take_faults()) {
        if (!(began < each.at)) continue;
        bool is_runaway = each.fault.kind == Fault::Kind::runaway;
        stop.why = is_runaway ? StepStop::Why::never_ends : StepStop::Why::fault;
        stop.notes.push_back(in_words(each.fault));
        warp_ = each.fault.thread / 32;
        stop.lanes = 1u << each.fault.thread % 32;
        if (!is_runaway) recording_.go_to(each.at);
        recording_.take_faults();
        return true;
    }
    return false;
}

// One unit on. False where the move ends for another reason.
bool Debugger::one_forward(StepUnit unit, StepStop& stop) {
    const StepMoment began = recording_.now();
    for (uint64_t steps = 0;; ++steps) {
        const Stepper& stepper = recording_.stepper();
        bool is_done = stepper.look(warp_).state == WarpLook::State::finished;
        if (is_done || stepper.has_ended()) {
            stop.why = StepStop::Why::returned;
            break;
        }
        constexpr uint64_t kOften = 4096;
        if (steps % kOften == kOften - 1 && is_out_of_time()) {
            stop.why = StepStop::Why::interrupted;
            break;
        }
        recording_.step();
        if (is_at(unit)) break;
    }
    for (const StepFault& each : recording_.take_faults()) {
        if (each.fault.kind == Fault::Kind::runaway) stop.why = StepStop::Why::never_ends;
        if (each.fault.thread / 32 == warp_ || each.fault.kind == Fault::Kind::runaway)
            stop.notes.push_back(in_words(each.fault));
    }
    take_prints(stop, began);
    return stop.why == StepStop::Why::moved;
}

StepStop Debugger::forward(StepUnit unit, uint64_t count) {
    start_clock();
    recording_.take_faults();
    StepStop stop;
    for (uint64_t i = 0; i < count && one_forward(unit, stop); ++i) {
    }
    sight_.look_from(warp_);
    return stop;
}

StepStop Debugger::back(StepUnit unit, uint64_t count) {
    start_clock();
    StepStop stop;
    for (uint64_t i = 0; i < count; ++i) {
        if (recording_.back_to_last([&] { return is_at(unit); })) continue;
        if (recording_.now().step > 0 && !is_warps_turn() && i == 0)
            stop.notes.push_back(
                "This warp has done nothing before; the block's begin is `goto 0`.");
        stop.why = StepStop::Why::start;
        break;
    }
    recording_.take_faults();
    recording_.take_prints();
    sight_.look_from(warp_);
    return stop;
}

// Whether the condition holds in one of the lanes. One that cannot be told says so once, and does
// not stop.
bool Debugger::holds(Breakpoint& breakpoint, uint32_t warp, uint32_t lanes, StepStop& stop) {
    if (!breakpoint.condition) return stop.lanes = lanes, true;
    auto complain = [&](const std::string& why) {
        if (breakpoint.has_complained) return;
        breakpoint.has_complained = true;
        stop.notes.push_back(fmt::format("Breakpoint {} ({}) {} It does not stop there.",
                                         breakpoint.number, breakpoint.condition->text(), why));
    };
    uint32_t present = sight_.warp();
    sight_.look_from(warp);
    bool result = false;
    try {
        LaneResult value = breakpoint.condition->evaluate(sight_, lanes);
        stop.lanes = value.values.true_lanes();
        result = stop.lanes != 0;
        if (value.divided_by_zero != 0)
            complain(fmt::format("divides by zero in lane {} of warp {}, block {}.",
                                 __builtin_ctz(value.divided_by_zero), warp,
                                 coordinates(recording_.now().block, recording_.shape().grid)));
    } catch (const Error& error) {
        complain(fmt::format("cannot be told: {}.", error.what()));
    }
    if (!result) sight_.look_from(present);
    return result;
}

// Whether a breakpoint stops the warp whose turn it is.
bool Debugger::is_hit(StepStop& stop) {
    const Stepper& stepper = recording_.stepper();
    if (stepper.has_ended()) return false;
    uint32_t warp = stepper.warp();
    WarpLook look = stepper.look(warp);
    if (!flags_[look.instruction] || !begins_line(warp)) return false;
    for (Breakpoint* each : breakpoints_.at(sight_.line_of(look.instruction))) {
        bool is_asked = (!each->block || *each->block == stepper.block()) &&
                        (!each->warp || *each->warp == warp);
        uint32_t lanes = each->lane ? look.lanes & (1u << *each->lane) : look.lanes;
        if (!is_asked || lanes == 0 || !holds(*each, warp, lanes, stop)) continue;
        stop.why = StepStop::Why::breakpoint;
        stop.breakpoint = each->number;
        warp_ = warp;
        return true;
    }
    return false;
}

StepStop Debugger::run() {
    start_clock();
    recording_.take_faults();
    recording_.take_prints();
    const StepMoment began = recording_.now();
    StepStop stop;
    for (;;) {
        recording_.run(recording_.now().step + kStepsAtOnce, flags_);
        if (take_faults(began, stop)) break;
        if (!recording_.stepper().has_ended()) {
            if (is_hit(stop)) break;
        } else if (recording_.never_ends() || recording_.is_last_block()) {
            stop.why =
                recording_.never_ends() ? StepStop::Why::never_ends : StepStop::Why::launch_end;
            break;
        } else if (recording_.next_block()) {
            warp_ = 0;
            if (is_hit(stop)) break;
        }
        if (is_out_of_time()) {
            stop.why = StepStop::Why::interrupted;
            break;
        }
    }
    if (stop.why == StepStop::Why::breakpoint) breakpoints_.count_hit(stop.breakpoint);
    take_prints(stop, began);
    sight_.look_from(warp_);
    return stop;
}

StepStop Debugger::run_back() {
    start_clock();
    StepStop stop;
    const uint32_t warp = warp_;
    // The search goes through later and later moments: what the last of them said counts.
    bool found = recording_.back_to_last([&] {
        StepStop here;
        if (!is_hit(here)) return false;
        stop = here;
        return true;
    });
    if (!found) {
        warp_ = warp;
        stop.notes.push_back("No breakpoint stops a warp before this in the block.");
    } else {
        warp_ = recording_.stepper().warp();
    }
    recording_.take_faults();
    recording_.take_prints();
    sight_.look_from(warp_);
    return stop;
}

StepStop Debugger::to_warp(uint32_t warp) {
    if (warp >= recording_.warps())
        throw Error(Status::bad_input, fmt::format("there is no warp {}; a block has warps 0 to {}",
                                                   warp, recording_.warps() - 1));
    warp_ = warp;
    sight_.look_from(warp_);
    return {};
}

StepStop Debugger::to_block(uint32_t block) { return to_moment({block, 0}, warp_); }

StepStop Debugger::to_moment(StepMoment moment, uint32_t warp) {
    start_clock();
    StepStop stop;
    recording_.go_to(moment);
    recording_.take_faults();
    recording_.take_prints();
    if (recording_.never_ends()) stop.why = StepStop::Why::never_ends;
    if (recording_.now() < moment)
        stop.notes.push_back(
            fmt::format("Block {} ends after {} steps.",
                        coordinates(recording_.now().block, recording_.shape().grid),
                        with_thousands(recording_.now().step)));
    to_warp(warp);
    return stop;
}

int Debugger::line_with_code(int line) const {
    std::vector<int> lines = sight_.lines_with_code();
    auto found = std::lower_bound(lines.begin(), lines.end(), line);
    if (found != lines.end() && line > 0) return *found;
    if (lines.empty())
        throw Error(Status::bad_input, "the compiled code names no lines of a source");
    throw Error(Status::bad_input,
                fmt::format("line {} has no code behind it; the kernel's code is "
                            "at lines {} to {}",
                            line, lines.front(), lines.back()));
}

int Debugger::add_breakpoint(Breakpoint breakpoint) {
    breakpoint.line = line_with_code(breakpoint.line);
    const uint64_t blocks = recording_.shape().grid.count();
    if (breakpoint.block && *breakpoint.block >= blocks)
        throw Error(Status::bad_input,
                    fmt::format("there is no block {}; the grid has blocks 0 to {}",
                                *breakpoint.block, blocks - 1));
    if (breakpoint.warp && *breakpoint.warp >= recording_.warps())
        throw Error(Status::bad_input, fmt::format("there is no warp {}; a block has warps 0 to {}",
                                                   *breakpoint.warp, recording_.warps() - 1));
    if (breakpoint.lane && *breakpoint.lane > 31)
        throw Error(Status::bad_input,
                    fmt::format("there is no lane {}; a warp has lanes 0 to 31", *breakpoint.lane));
    if (breakpoint.condition)
        for (const std::string& name : breakpoint.condition->names()) {
            if (sight_.knows(name, breakpoint.line)) continue;
            std::string close = closest(name, sight_.names(breakpoint.line));
            throw Error(Status::bad_input,
                        fmt::format("nothing is called {} at line {}{}", name, breakpoint.line,
                                    close.empty() ? "" : "; did you mean \"" + close + "\"?"));
        }
    const int line = breakpoint.line;
    bool is_new = !breakpoints_.any_at(line);
    int number = breakpoints_.add(std::move(breakpoint));
    if (is_new) set_flags();
    return number;
}

bool Debugger::remove_breakpoint(int number) {
    bool removed = breakpoints_.remove(number);
    set_flags();
    return removed;
}

void Debugger::clear_breakpoints() {
    breakpoints_.clear();
    set_flags();
}

Breakpoints Debugger::exchange_breakpoints(Breakpoints others) {
    std::swap(breakpoints_, others);
    set_flags();
    return others;
}

void Debugger::set_flags() {
    const auto& code = recording_.prepared().kernel.instructions;
    flags_.assign(code.size() + 1, 0);  // one for the end
    if (breakpoints_.count() == 0) return;
    for (uint32_t i = 0; i < code.size(); ++i) flags_[i] = breakpoints_.any_at(sight_.line_of(i));
}

}  // namespace lanewise
