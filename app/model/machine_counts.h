// How often each machine instruction of a kernel is executed, from how often each PTX instruction
// was.
//
// A line table says which PTX line a machine instruction comes from, and the machine code where it
// goes on. All of one basic block are executed equally often; so the block is executed as often as
// those of its instructions that ptxas can only have put there once for each time. Where the copies
// of an instruction stand in several blocks, as of a loop that ptxas unrolled, the largest takes as
// many turns of each visit as it can, and the next one of the rest. What follows of the blocks between,
// follows from the flow: what goes in comes out.
//
// Why it matters: instructions whose guard is off, and those that belong to no line, take their turn of
// the issue as any other. Of the launches of the set they are up to a third.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "model/timed_code.h"

namespace lanewise {

// A loop of the PTX, of instructions `head` to `back`: how often a warp that came to it went round
// so many times.
struct LoopTurns {
    uint32_t head = 0, back = 0;
    std::map<uint32_t, double> visits;  // by turns
};

// Sets issues, beside, stalls, stalls_beside and bank_reads of all instructions, so that the sum over what was
// executed is that of the machine. executed: by PTX instruction, of warps; off: likewise, those that a
// warp went past and that the machine has with their guard off (launch_record.h). long_way: likewise, of how
// many some lane's operands needed the function that ptxas calls for rare ones; empty: of none. Without
// machine code nothing changes.
void count_machine_instructions(TimedCode& code, std::span<const double> executed,
                                std::span<const double> off, std::span<const LoopTurns> loops,
                                std::span<const double> long_way = {});

// By machine instruction, as above: for tests.
std::vector<double> machine_counts(const TimedCode& code, std::span<const double> executed,
                                   std::span<const LoopTurns> loops,
                                   std::span<const double> long_way = {});

}  // namespace lanewise
