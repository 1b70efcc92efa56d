// C expressions of all lanes at once: conditions of breakpoints, what is printed or watched, and
// what a line of the source computes. As c_expression.h, and besides floats, casts, subscripts:
//   ternary = binary [ "?" ternary ":" ternary ]
//   binary  = unary { operator unary }, by C's precedence
//   unary   = ( "-" | "+" | "~" | "!" | "*" | "&" ) unary | "(" type ")" unary | postfix
//   postfix = primary { "[" ternary "]" }
//   primary = number | "true" | "false" | name | "%r1" | "sizeof" "(" type ")"
//           | name "(" [ ternary { "," ternary } ] ")" | type "(" ternary ")" | "(" ternary ")"
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/step/lane_values.h"

namespace lanewise {

// What the names in an expression stand for, and the memory behind pointers.
class LaneNames {
  public:
    virtual ~LaneNames() = default;
    // "row", "threadIdx.x", "%r12", "sizeof(T)". False where there is no such name; throws
    // Error(bad_input) where there is, but its value is not to be had.
    virtual bool find(std::string_view name, LaneValues& values) = 0;
    // The element at each of the lanes' addresses; known in those of them that can be read.
    virtual LaneValues load(std::string_view element, const LaneValues& addresses,
                            uint32_t lanes) = 0;
    // Where a subscript stands in the text that is evaluated ("in[i]"), what the lanes have read
    // there already; false where that is not known.
    virtual bool loaded(std::string_view /*text*/, LaneValues& /*values*/) { return false; }
};

struct LaneResult {
    LaneValues values;
    uint32_t divided_by_zero = 0;  // the lanes that did, and have no value for it
};

class LaneExpression {
  public:
    // Throws Error(bad_input) with a caret under the place that cannot be read.
    explicit LaneExpression(std::string_view text);
    ~LaneExpression();
    LaneExpression(LaneExpression&&) noexcept;
    LaneExpression& operator=(LaneExpression&&) noexcept;

    const std::string& text() const { return text_; }
    // Of these lanes; the others have no value. && || ?: ask a lane only for what it needs.
    // Throws Error(bad_input) for a name that nobody knows, or what C does not allow.
    LaneResult evaluate(LaneNames& names, uint32_t lanes = kEveryLane) const;
    // Addresses instead of the value: of "tile[3]", "in[i]", "*p". Throws where it has none.
    LaneResult address(LaneNames& names, uint32_t lanes = kEveryLane) const;
    std::vector<std::string> names() const;  // each once

    struct Node;

  private:
    std::string text_;
    std::unique_ptr<const Node> root_;
};

}  // namespace lanewise
