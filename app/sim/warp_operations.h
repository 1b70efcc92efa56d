// What the lanes of a warp decide together: votes, matches, reductions; and the scalar instructions
// that are too rare for the vectorised table.
#pragma once
#include <string_view>

#include "sim/operations.h"

namespace lanewise {

// By opcode and modifiers without .sync and the type: "vote.ballot", "match.any", "redux.add",
// "activemask", "elect", "bfind", "dp4a", … Letters as in operations.h, and m: the mask of the
// lanes that must take part. Null where there is none.
const Operation* find_warp_operation(std::string_view name);

}  // namespace lanewise
