// Which instructions of a kernel a report lists, and what their text says.
#pragma once
#include <vector>

#include "ptx/instruction.h"
#include "trace/report.h"

namespace lanewise {

// The loads and stores of global and shared memory, atomics, cp.async, ldmatrix and wmma's loads
// and stores, in PTX order, with no counts yet. A generic one (which names no space) is listed as
// global until it touches something else.
std::vector<InstructionReport> memory_instructions(const ptx::Kernel& kernel);

// By PTX instruction: its index in memory_instructions(), or -1.
std::vector<int> report_indices(const ptx::Kernel& kernel);

}  // namespace lanewise
