// The shared memory that the system keeps for itself in every block, from sm_80 on.
#pragma once
#include <string_view>

namespace lanewise::ptx {

// The name of the shared variable that stands for it in kernels that use it: cooperative groups of
// several warps do. It has no source and holds zeros when a block begins.
inline constexpr std::string_view kReservedShared = "(the system's)";

}  // namespace lanewise::ptx
