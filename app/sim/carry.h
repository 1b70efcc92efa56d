// 9.7.2: sums, differences and products whose carry goes from instruction to instruction, in one
// bit of each lane.
#pragma once
#include <string_view>

#include "sim/operations.h"

namespace lanewise {

// "add.cc", "addc", "madc.hi.cc", …: null for what has no carry. As in operations.h; the carry is
// the predicate row op.d2.
const Operation* find_carry_operation(std::string_view name);

}  // namespace lanewise
