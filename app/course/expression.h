// Integer arithmetic over named values, for launch shapes, requirements and expectations.
//   expr    = or ;  or = and { "||" and } ;  and = compare { "&&" compare }
//   compare = sum [ ("==" | "!=" | "<=" | ">=" | "<" | ">") sum ]
//   sum     = product { ("+" | "-") product } ;  product = unary { ("*" | "/" | "%") unary }
//   unary   = ["-" | "!"] primary
//   primary = number | name | name "(" expr { "," expr } ")" | "(" expr ")"
// Names may contain dots (shared_load.wavefronts). Functions: ceil_div(a, b), min, max.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace lanewise {

// Gives a name's value; returns false where the name is unknown.
using NameLookup = std::function<bool(std::string_view name, int64_t& value)>;

// Throws Error(bad_input) with the expression, a caret under the spot and the reason: syntax,
// unknown name, division by zero, overflow.
int64_t evaluate(std::string_view expression, const NameLookup& lookup);

}  // namespace lanewise
