// How an SVG names its colours: as values in each shape's style, or by classes of its own.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "figure/drawing/drawing.h"

namespace lanewise {

class Paint {
  public:
    virtual ~Paint() = default;
    // The attributes with a shape's colours, without their alphas, and with its font's class, if it
    // has one: ` class="m" style="fill:#0b0d10"`.
    virtual std::string attributes(const Fill& fill, const Fill& stroke,
                                   const std::string& font) = 0;
};

// In each shape's style, as the CSS value that `value` gives.
class StylePaint : public Paint {
  public:
    using Value = std::function<std::string(const Fill& fill)>;
    explicit StylePaint(Value value) : value_(std::move(value)) {}
    std::string attributes(const Fill& fill, const Fill& stroke, const std::string& font) override;

  private:
    Value value_;
};

std::string hex_value(const Color& color);     // "#0b0d10"
std::string variable_value(const Fill& fill);  // "var(--bank-3)", as css_variables() calls it

// By classes, which rules() defines for both themes: "b12" is a colour, which fills; "o" makes it that of
// an outline and fills nothing, "s" is an outline of the colour that fills, "si4" one of another.
// Programs that know no CSS variables show such a file as well, in the light theme.
class ClassPaint : public Paint {
  public:
    std::string attributes(const Fill& fill, const Fill& stroke, const std::string& font) override;
    std::string rules(const std::string& elements) const;  // of the classes that stand there

  private:
    std::map<std::string, Fill> named_;  // by class
};

}  // namespace lanewise
