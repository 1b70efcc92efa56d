// Calls through a pointer whose lanes do not meet again behind them. Lanes that call different
// functions meet behind the call where ptxas sets a barrier for it (BSSY, BSYNC). In kernels that
// need no barrier elsewhere it sets none, and the lanes stay apart: until an outer barrier, or the
// kernel's end (seen on an H200: tests/golden/h200/machine/virtual_functions.cu).
// Not followed: ahead of __syncthreads() the warp meets first (WARPSYNC), and a store that ptxas
// has moved behind that is made by all lanes at once; here, by each group where the PTX has it.
#pragma once
#include <vector>

#include "compile/sass_flow.h"
#include "ptx/instruction.h"

namespace lanewise {

// Makes the branches that tell whom a pointer means (ptx/calls.cpp) bra.apart, for each call in
// whose machine code no BSYNC follows the CALL. What the machine code does not say stays as it is.
void keep_calls_apart(ptx::Kernel& kernel, const std::vector<SassTurn>& turns);

}  // namespace lanewise
