// Memory accesses in clang's intermediate code (LLVM IR, as text, before it is optimised), made the
// ones that NVIDIA's compilers make of the same source. A pure function.
#pragma once
#include <string>
#include <string_view>

namespace lanewise {

// Changes four things:
// - Structures without padding that are aligned to 4, 8 or 16 bytes, and of at most kMostCopied,
// are
//   loaded and stored in words of that size. clang alone copies member by member what is used
//   later, and a float4 becomes a pair and two single loads: three requests instead of one.
// - A pointer that was cast is as well aligned as its type says, whatever array it points into:
// clang
//   takes `((float4*)bytes)[i]` apart where it sees that `bytes` is an array of char.
// - The same of single numbers, but for members of packed structures.
// - Arrays in shared memory of a multiple of 16 bytes are aligned to four numbers, at most 16 bytes,
//   and told to be in shared memory where they are accessed: so neighbouring loads are merged as
//   ptxas merges them.
inline constexpr unsigned kMostCopied = 64;
std::string with_whole_accesses(std::string_view ir);

}  // namespace lanewise
