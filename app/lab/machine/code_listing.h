// A kernel's compiled code as a window lists it beside the source: the PTX's instructions and the
// memory operations of the SASS, each with the source line that it comes from, and what became of
// the PTX's accesses in the SASS.
#pragma once
#include <string>

#include "compile/compiler.h"
#include "lab/job/results.h"
#include "ptx/instruction.h"

namespace lanewise {

// file: the name that the source was compiled under. A cubin that cannot be read gives no SASS and
// a remark; so does none.
CodeListing code_listing(const Program& program, const ptx::Kernel& kernel,
                         const std::string& file);

}  // namespace lanewise
