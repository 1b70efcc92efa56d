// The debugger as a window uses it: each question says where it stands and which breakpoints there
// are, so that the answer depends on nothing that was asked before, but for how breakpoints are
// numbered and counted. What was recorded is kept from question to question all the same; whoever
// begins a new session loses time and nothing else.
#pragma once
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/step/step_commands.h"

namespace lanewise {

struct StepPosition {
    StepMoment at;
    uint32_t warp = 0;
    bool operator==(const StepPosition&) const = default;
};

struct StepQuestion {
    StepPosition from;
    std::vector<std::string> breaks;   // as `break` takes them: "17 if row == 31"
    std::vector<std::string> watches;  // expressions
    std::string command;               // of step_commands(), from there; "": only look
};

// A breakpoint as it was asked for.
struct StepBreak {
    std::string asked, error;  // error: a sentence; "" where it is set
    int number = 0, line = 0;  // line: that it stops at. Both 0 where it is not set
    uint64_t hits = 0;         // in this session, as the number
};

struct StepWarp {
    WarpLook::State state = WarpLook::State::ready;
    int line = 0;       // of its next instruction; 0: not known
    uint32_t live = 0;  // lanes that exist and have not returned
};

// The first step of a block that goes wrong.
struct StepWrong {
    StepPosition at;    // before it
    std::string words;  // as a finding has it
};

// All that a window shows of a moment. reply: of the command, with place, the values in sight and
// the watches whatever it was.
struct StepShown {
    StepReply reply;
    std::vector<StepBreak> breaks;  // in the order of the question's
    std::vector<StepWarp> warps;    // of the block
    std::vector<int> code_lines;    // of the source, in order
    uint64_t steps = 0;             // of the whole block; 0: too many to know, or it never ends
    std::optional<StepWrong> wrong;
    uint32_t first_block = 0;  // those before it did not run
    StepMoment earliest;       // before it, going back executes again
};

class StepSession {
  public:
    // Throws as LaunchRecording does.
    StepSession(const Job& job, const Debugger::Options& options);
    // Never throws what the question causes: that is StepReply::error. stop: set, it ends soon.
    StepShown answer(const StepQuestion& question, const std::atomic<bool>* stop = nullptr);
    StepMoment now() { return commands_.debugger().recording().now(); }

  private:
    struct Length {
        uint64_t steps = 0;
        std::optional<StepWrong> wrong;
    };
    void go_to(const StepPosition& position);
    void set_breaks(const std::vector<std::string>& asked, StepShown& shown);
    const Length& length_of_block();
    void show_moment(const StepQuestion& question, StepShown& shown);

    StepCommands commands_;
    std::map<std::string, int> numbers_;  // of the breakpoints, by what was asked for
    std::map<uint32_t, Length> lengths_;  // by block
    uint32_t first_block_;
    const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace lanewise
