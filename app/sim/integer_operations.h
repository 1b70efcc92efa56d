// The integer instructions that are too rare for the vectorised table, one lane at a time.
#pragma once
#include <string_view>

#include "sim/operations.h"

namespace lanewise {

// By opcode and modifiers without the types: "bfind", "dp4a", "bmsk.clamp", … As in operations.h.
// Null where there is none.
const Operation* find_integer_operation(std::string_view name);

}  // namespace lanewise
