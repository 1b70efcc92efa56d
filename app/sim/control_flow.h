// The kernel's control flow graph: where diverged lanes meet again, and which registers may be read
// before they are written.
#pragma once
#include <cstdint>
#include <vector>

namespace lanewise {

// One instruction, as far as control flow and registers are concerned.
struct FlowInstruction {
    bool is_branch = false, is_exit = false, is_guarded = false;
    bool is_fatal = false;  // an exit that no lane of a sound kernel takes: a failed assertion
    uint32_t target = 0;    // of a branch
    std::vector<uint32_t> others;         // of an indexed branch: all its targets
    std::vector<uint32_t> reads, writes;  // registers, by any numbering
};

struct ControlFlow {
    // Per instruction: for a branch, the first instruction of its immediate post-dominator, where
    // all its paths meet again but those that return early; the number of instructions where that
    // is the kernel's end, also where no path leads there (an endless loop).
    std::vector<uint32_t> reconverge;
    // Registers that some path reads before it writes all of them.
    std::vector<uint32_t> live_at_entry;
};

// `registers` is the number of registers. Takes time in proportion to blocks x registers / 64.
ControlFlow control_flow(const std::vector<FlowInstruction>& instructions, uint32_t registers);

}  // namespace lanewise
