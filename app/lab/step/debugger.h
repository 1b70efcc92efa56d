// Moves through a recording as somebody who looks at one warp wants to: by its instructions, source
// lines and barriers, forward and back, and to breakpoints. All other warps go on in between as the
// machine has them. Both directions stop at the same moments.
#pragma once
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "lab/step/breakpoints.h"
#include "lab/step/launch_recording.h"
#include "lab/step/warp_sight.h"

namespace lanewise {

enum class StepUnit : uint8_t { instruction, line, barrier };

// Why a move ended where it did.
struct StepStop {
    enum class Why : uint8_t {
        moved,       // as asked
        breakpoint,  // `breakpoint`, for `lanes`
        fault,       // before the step that goes wrong; a note says how
        returned,    // the warp has
        launch_end,  // all blocks have
        start,       // there is nothing before
        never_ends,  // the block was given up
        interrupted  // by the user, or by the limit on time
    } why = Why::moved;
    int breakpoint = 0;
    uint32_t lanes = 0;
    std::vector<std::string> notes;  // whole sentences
};

class Debugger {
  public:
    struct Options {
        LaunchRecording::Options recording;
        double most_seconds = 60;                 // that one command may take
        const std::atomic<bool>* stop = nullptr;  // set: it ends soon
    };
    Debugger(const Job& job, const Options& options);
    // What ends a move from now on, in place of Options::stop; null: nothing does.
    void stop_at(const std::atomic<bool>* stop) { stop_ = stop; }

    LaunchRecording& recording() { return recording_; }
    const LaunchRecording& recording() const { return recording_; }
    WarpSight& sight() { return sight_; }
    const WarpSight& sight() const { return sight_; }
    Breakpoints& breakpoints() { return breakpoints_; }
    uint32_t warp() const { return warp_; }
    WarpLook look() const { return recording_.stepper().look(warp_); }
    int line() const;       // of what the warp executes next, or executed last; 0: not known
    int line_left() const;  // of what it executed last

    StepStop forward(StepUnit unit, uint64_t count = 1);
    StepStop back(StepUnit unit, uint64_t count = 1);
    StepStop run();       // to a breakpoint, a fault or the end of all blocks
    StepStop run_back();  // to a breakpoint before now, in this block
    // All throw Error(bad_input) for what is not there.
    StepStop to_block(uint32_t block);
    StepStop to_warp(uint32_t warp);
    StepStop to_moment(StepMoment moment, uint32_t warp);

    // The line that has code at or behind `line`; throws Error(bad_input) where none has.
    int line_with_code(int line) const;
    // Throws Error(bad_input) for a condition with a name that is not known at the line, or a block,
    // warp or lane that the launch does not have.
    int add_breakpoint(Breakpoint breakpoint);
    bool remove_breakpoint(int number);
    void clear_breakpoints();
    // Others in place of those that there are; returns these.
    Breakpoints exchange_breakpoints(Breakpoints others);

    // A fault in a sentence, as the findings of `trace` have it.
    std::string in_words(const Fault& fault) const;

  private:
    bool is_at(StepUnit unit) const;
    bool is_warps_turn() const;
    bool begins_line(uint32_t warp) const;
    bool is_out_of_time() const;
    bool is_hit(StepStop& stop);
    bool holds(Breakpoint& breakpoint, uint32_t warp, uint32_t lanes, StepStop& stop);
    bool take_faults(StepMoment began, StepStop& stop);
    void take_prints(StepStop& stop, StepMoment began);
    void set_flags();
    void start_clock();
    bool one_forward(StepUnit unit, StepStop& stop);

    LaunchRecording recording_;
    WarpSight sight_;
    Breakpoints breakpoints_;
    std::vector<uint8_t> flags_;  // by instruction: a breakpoint is at its line
    uint32_t warp_ = 0;
    double most_seconds_;
    const std::atomic<bool>* stop_;
    std::chrono::steady_clock::time_point began_;
};

}  // namespace lanewise
