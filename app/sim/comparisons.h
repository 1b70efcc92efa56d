// 9.7.5 to 9.7.7: comparisons that the vectorised table has no row for (with .ftz, of halves, or
// with a number as result), and selections by sign or by class.
#pragma once
#include <string_view>

#include "sim/operations.h"

namespace lanewise {

// The set of a comparison's outcomes: less 1, equal 2, greater 4, unordered 8. 0 for what is no
// comparison ("lt", "geu", "nan", …).
uint8_t accepted_outcomes(std::string_view name);

// How the outcome and predicate c are combined: p = outcome op c.
enum class Combination : uint8_t { none, both, either, differ };

// setp and set of `source`; op.bytes holds the outcomes, op.elements the Combination, op.immediate
// the Modes, op.c (op.c_flip) the predicate that is combined. set's result is of type `result`,
// which is in op.targets. Null where PTX has none.
Execute predicate_comparison(Type source);
Execute number_comparison(Type result, Type source);

// slct, testp.*; null where there is none. As in operations.h.
const Operation* find_selection(std::string_view name);

}  // namespace lanewise
