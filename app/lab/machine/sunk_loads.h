// Loads that ptxas has moved: behind a branch, to the one side that wants their value, or to a
// store under a predicate that alone wants it. Lanes that go the other way never make such an
// access, so the machine must not either.
#pragma once
#include <vector>

#include "compile/sass.h"
#include "compile/sass_flow.h"
#include "ptx/instruction.h"

namespace lanewise {

// Moves each load of global or shared memory to where the machine code has it, if it can be told:
// * the operation lies behind a BRA that is a guarded branch of the PTX after the load, and only one
//   side of it reads the value: the load becomes that side's first instruction;
// * it lies behind an EXIT that is a guarded store of the PTX, and only that store reads the value
//   (the rest of the kernel was nothing): the load goes before it, under the same guard.
// Only within one straight stretch of the PTX, past nothing that could change what is loaded.
// Kernels with branches by a table are left as they are.
void sink_loads(ptx::Kernel& kernel, const std::vector<SassMemoryOperation>& operations,
                const std::vector<SassTurn>& turns);

}  // namespace lanewise
