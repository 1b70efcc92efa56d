// Counts that shall equal the hardware's are counts of what the machine code (SASS) executes; the
// machine executes PTX. This says, for a compiled kernel, which instructions count otherwise than
// the PTX has them, and puts it into words.
#pragma once
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "ptx/instruction.h"
#include "trace/count/counter.h"

namespace lanewise {

struct SassCounting {
    // For Counter; empty where every instruction counts as it is written, as in every stage.
    std::vector<CountAs> count_as;
    // Whole sentences for the user: which lines are counted as SASS, and which as PTX because the
    // SASS does not tell. None where count_as is empty and that is certain.
    std::vector<std::string> notes;
};

// Without machine code (Program::cubin is empty) loads and stores count as they are written, which
// a note says.
SassCounting sass_counting(const Program& program, const ptx::Kernel& kernel);

}  // namespace lanewise
