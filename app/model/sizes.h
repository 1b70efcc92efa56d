// What every card since sm_70 has, for the sums of the models; a sector's and a line's bytes are those of
// the rules that count them.
#pragma once
#include "base/round_up.h"
#include "trace/count/rules.h"

namespace lanewise {

inline constexpr int kWarp = 32;       // lanes
inline constexpr int kSchedulers = 4;  // of a multiprocessor, each with a tensor core
// Registers are given to a warp in such units, and to so many warps at a time.
inline constexpr int kRegisterUnit = 256, kWarpUnit = 4;

}  // namespace lanewise
