// How the machine code counts what the PTX says: for each memory instruction of the PTX, the
// operations that one execution of it costs on the hardware.
#pragma once
#include <vector>

#include "compile/sass.h"

namespace lanewise {

struct CountedAs {
    // 1 as a rule. 0: ptxas gave the instruction's work to a wider operation of another line, or
    // left it out as useless. More: it is split.
    int operations = 1;
    // Of each operation. Wider than the PTX's (merged with its neighbours): every lane's address is
    // then rounded down to a multiple of this, since the hardware takes no other. Narrower (split):
    // operation n is at the PTX's address + n * bytes_per_lane.
    int bytes_per_lane = 0;
    // false where the SASS does not tell: the line's operations differ in width (copies of a loop's
    // body, merged in one of them only), or are fewer bytes than the PTX asks for. The other
    // fields then are as the PTX says.
    bool is_certain = true;
};

// One entry per instruction of `ptx`, in its order. Copies that ptxas makes of an instruction
// (unrolling a loop) do not multiply its count: each execution runs one of them.
std::vector<CountedAs> counted_as(const std::vector<PtxMemoryInstruction>& ptx,
                                  const std::vector<SassMemoryOperation>& sass);

}  // namespace lanewise
