// Which loads of a kernel wait for memory together: the machine code issues them one after another
// with no use between them. For the model's sample of a launch (model/traffic.h).
#pragma once
#include <vector>

#include "compile/compiler.h"
#include "compile/sass.h"
#include "ptx/instruction.h"

namespace lanewise {

// By PTX line, the number of the group that its load of global memory belongs to. A store, and
// anything that touches shared memory, ends a group: the first of them needs a load's result.
std::vector<int> load_groups(const std::vector<SassMemoryOperation>& sass);

// The same by PTX instruction; -1 for what is no load. Empty where the cubin has no line table.
// Without a cubin it is guessed from the PTX.
std::vector<int> load_groups(const Program& program, const ptx::Kernel& kernel);

}  // namespace lanewise
