// Code of a library's headers, told of where the user's own code calls it.
#pragma once
#include <functional>
#include <string>

#include "ptx/instruction.h"

namespace lanewise::ptx {

// An instruction that the compiler inlined from a file for which is_library is true gets the
// position of the innermost call of it that stands in another file; it keeps its own where there is
// no such call. Counts and findings then speak of the line that called cg::reduce or memcpy_async,
// not of a header's.
void attribute_to_callers(Kernel& kernel,
                          const std::function<bool(const std::string& file)>& is_library);

}  // namespace lanewise::ptx
