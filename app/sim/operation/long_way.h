// Instructions that take longer for some operands than for others, as far as the model of time has to know which.
//
// Quotients and roots: ptxas writes the few steps that give the right result for nearly all operands, a check of the
// exponents, and a call of a function for the others. The borders were timed on an H200, exponent by exponent (code
// of CUDA 13.0). Quotients of whole numbers need no row: of 64 bits they are always a call, of others never.
//
// match.any: the machine compares with one value after another, so that it takes as long as there are different ones.
// Loads of constant memory: it reads one address after another.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/warp/warp.h"

namespace lanewise {

// Which rule an instruction has, by its parts ("div", "rn", "f32"); none for nearly all.
OperandRule operand_rule(const std::vector<std::string>& parts);

// The lanes of warp.lanes whose operands need the long way.
uint32_t long_way(Warp& warp, const Op& op);

// How many different values the lanes of warp.lanes bring to a match.any, or addresses to a load of constant memory
// that has any; of others 0.
uint32_t different_values(Warp& warp, const Op& op);

}  // namespace lanewise
