// PTX text -> typed instructions. Reads what NVRTC 12 and 13 emit for sm_75 and later.
#pragma once
#include <string_view>

#include "ptx/instruction.h"

namespace lanewise::ptx {

// Every .entry of `text`, in order, with the bodies of the functions that it calls, recursive
// ones included. Instructions need not be known here: the machine judges them when it decodes.
// Throws Error(bad_input) with the PTX line and its text, and the source line where that is known
// ("file.cu:7: PTX line 40: …"), where the text is malformed, uses an undeclared register or label,
// or has a directive that is not known.
Module parse(std::string_view text);

// The same without looking at a body: of each kernel its name, parameters, limits and line alone,
// and the module's files. Throws as above, of what stands outside the bodies.
Module parse_heads(std::string_view text);

// The kernel whose mangled name is `kernel`; the bodies of others are not looked at. Throws as
// above, and where there is no such kernel.
Kernel parse(std::string_view text, std::string_view kernel);

}  // namespace lanewise::ptx
