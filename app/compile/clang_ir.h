// What is read from clang's intermediate code (LLVM IR, as text) between its front end and its
// optimiser, and what is put right in it; its accesses are clang_accesses.h's. Pure functions.
#pragma once
#include <cctype>
#include <string>
#include <string_view>

namespace lanewise {

inline bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// The name of a variable template in whose mangled name (of the one instance that `ir` holds) that
// of a kernel stands: how the entry is found that a name expression means.
inline constexpr std::string_view kEntryMarker = "lanewise_entry";

// That kernel's mangled name; "" where there is no marker, or the function is no kernel.
std::string entry_in(std::string_view ir);

// `ir` without the marker.
std::string without_marker(std::string_view ir);

// clang has __grid_constant__ from 20 on; older ones are given an annotation of this name in its
// place (lanewise_cuda.h), which becomes here what the back end of clang 19 understands. Without
// it a kernel would copy such a parameter, and a tensor map's address be one of local memory.
inline constexpr std::string_view kGridConstant = "lanewise_grid_constant";
std::string with_grid_constants(std::string_view ir);

// clang before 21 has no __cluster_dims__: it is given an annotation of this name in its place, with
// the numbers. `ptx` with what they say of the kernel in its head.
inline constexpr std::string_view kClusterMark = "lanewise_cluster";
std::string with_cluster(std::string_view ptx, std::string_view ir, std::string_view kernel);

}  // namespace lanewise
