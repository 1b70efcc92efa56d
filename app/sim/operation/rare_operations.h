// The operations that the vectorised table of operations_body.h has no row for, one lane at a time;
// each .cpp named here holds the rows of some sections of the manual's chapter 9.7.
#pragma once
#include <span>
#include <string_view>

#include "sim/operation/operations.h"

namespace lanewise {

// By opcode, without the modifiers that Modes holds; those are in Op::immediate.
std::span<const OpcodeRow> float_rows();      // 9.7.3, 9.7.4; halves too (float_operations.cpp)
std::span<const OpcodeRow> selection_rows();  // slct, testp.* (comparisons.cpp)

// By opcode and modifiers, without the types: "bfind", "dp4a", "bmsk.clamp", ….
std::span<const OpcodeRow> integer_rows();  // 9.7.1 (integer_operations.cpp)

// 9.7.2: "add.cc", "addc", "madc.hi.cc", …: the carry goes from instruction to instruction in one
// bit of each lane, the predicate row op.d2 (carry.cpp).
std::span<const OpcodeRow> carry_rows();

// By opcode and modifiers without .sync and the type: "vote.ballot", "match.any", "redux.add",
// "activemask", "elect", …: what the lanes of a warp decide together (warp_operations.cpp).
std::span<const OpcodeRow> warp_rows();

// The row called `name`; null where there is none.
inline const OpcodeRow* find_row(std::span<const OpcodeRow> rows, std::string_view name) {
    for (const OpcodeRow& row : rows)
        if (row.name == name) return &row;
    return nullptr;
}

// cvt between any two types; op.bytes and op.elements hold the two Types. Null where there is none
// (conversions.cpp).
Execute conversion(Type to, Type from);

// ---- 9.7.5 to 9.7.7 (comparisons.cpp) ----------------------------------------------------------

// The set of a comparison's outcomes: less 1, equal 2, greater 4, unordered 8. 0 for what is no
// comparison ("lt", "geu", "nan", …).
uint8_t accepted_outcomes(std::string_view name);

// How the outcome and predicate c are combined: p = outcome op c.
enum class Combination : uint8_t { none, both, either, differ };

// setp and set of `source`, where the vectorised table has none (with .ftz, of halves, or with a
// number as result); op.bytes holds the outcomes, op.elements the Combination, op.immediate the
// Modes, op.c (op.c_flip) the predicate that is combined. set's result is of type `result`, which
// is in op.targets. Null where PTX has none.
Execute predicate_comparison(Type source);
Execute number_comparison(Type result, Type source);

}  // namespace lanewise
