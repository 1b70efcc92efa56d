// The float operations with modifiers (.ftz, .sat, .rz, .approx, …), half precision, and every
// conversion: one lane at a time, where the vectorised table of operations_body.h has no row.
#pragma once
#include <string_view>

#include "sim/operations.h"

namespace lanewise {

// By opcode, without the modifiers that Modes holds; those are in Op::immediate. Null where there
// is none. As in operations.h otherwise.
const Operation* find_float_operation(std::string_view name);

// cvt between any two types; op.bytes and op.elements hold the two Types. Null where there is none.
Execute conversion(Type to, Type from);

}  // namespace lanewise
