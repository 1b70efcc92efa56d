// The access that a scene or a link of a lesson names: a_tile[x][k], as the source writes it. It is
// found in what the machine saw by its line, by whether it reads or writes, and by the array that it
// goes to. Never by the compiler's column: that is the statement's.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "course/query.h"
#include "trace/report.h"

namespace lanewise {

// What the text alone says.
struct AccessText {
    std::string array;          // "a_tile"; what stands before the first subscript
    int line = 0;               // where it ends, 1-based
    int first_line = 0;         // where its statement begins
    bool is_store = false;      // left of "="
    int place = 0, places = 1;  // of the array's accesses of this direction in the statement
    std::string problem;        // why it names no access, a clause; else ""
};
// `at` must stand in the source exactly once and name one access: subscripts behind a name, or a
// pointer followed (*reinterpret_cast<float2*>(to)). What is around the access may stand in it,
// another access may not.
AccessText access_text(const std::string& at, const std::string& source);

struct NamedAccess {
    AccessText text;
    // Indices into Report::instructions, in PTX order: of an unrolled loop several.
    std::vector<uint32_t> instructions;
    Space space = Space::global;
    int first = -1;  // index into BlockTrace::accesses of its first execution
    std::string
        problem;  // why there is no access of this name, or which several there are; else ""
};
NamedAccess named_access(const std::string& at, const std::string& source, const Report& report,
                         const BlockTrace& block);

// For what a scene expects of the access that it names: the counts are that access's alone, and
//   lanes, addresses    of its first execution: active lanes, and different addresses among them
//   stride              bytes from lane 0's address to lane 1's; 0 where one of them is idle
//   loads_before_store  global loads of the block's first warp before its first store, in PTX order
// Without an access (`access` null) the counts are the block's, and only the last of these is there.
NameLookup access_lookup(const NamedAccess* access, const Report& report, const BlockTrace& block,
                         NameLookup setting);

}  // namespace lanewise
