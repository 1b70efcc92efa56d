// The kernel's control flow graph: where diverged lanes meet again, and which registers may be read
// before they are written.
#pragma once
#include <cstdint>
#include <vector>

namespace lanewise {

// One instruction, as far as control flow and registers are concerned.
struct FlowInstruction {
    bool is_branch = false, is_exit = false, is_guarded = false;
    bool is_fatal = false;     // an exit that no lane of a sound kernel takes: a failed assertion
    uint32_t target = 0;       // of a branch
    bool stays_apart = false;  // a branch whose lanes meet nowhere but where others wait for them
    std::vector<uint32_t> others;         // of an indexed branch: all its targets
    std::vector<uint32_t> reads, writes;  // registers, by any numbering
};

struct ControlFlow {
    // Per instruction: for a branch, the first instruction of the place where all its paths meet
    // again but those that return early; the number of instructions where that is the kernel's end,
    // also where no path leads there (an endless loop) and of branches that stay apart. It is the
    // immediate post-dominator, within a loop that of the ways that stay in the loop: lanes that
    // leave it by a break are gone, and the others meet as if they had never been, as ptxas sets
    // its barriers (BREAK takes a lane off those within the loop). But where some that leave it may
    // be back before all have met, it sets none within the loop: the branch's lanes meet behind it,
    // or behind one around it of which that is not so.
    std::vector<uint32_t> reconverge;
    // The ways out of loops, of branches whose paths meet within none of the loops that they leave.
    struct Exit {
        uint32_t branch, target;
        uint32_t loop;  // the outermost that is left
        uint32_t meet;  // where all that leave it meet
    };
    std::vector<Exit> exits;  // in the order of branches
    // Places where some ways of a branch come together before all do, as where the cases of a
    // switch go on that do not skip what is behind it; and where all meet.
    struct Tail {
        uint32_t begin, meet;
    };
    std::vector<Tail> tails;
    std::vector<uint32_t> loop_of;       // per instruction: the innermost loop, or ~0
    std::vector<uint32_t> loop_parents;  // per loop: the one around it, or ~0
    // Registers that some path reads before it writes all of them.
    std::vector<uint32_t> live_at_entry;
};

// `registers` is the number of registers. Takes time in proportion to blocks x registers / 64.
ControlFlow control_flow(const std::vector<FlowInstruction>& instructions, uint32_t registers);

}  // namespace lanewise
