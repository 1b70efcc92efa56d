// Two drawings of one figure as one SVG that moves: the first, the way to the second, the second,
// and back, for ever. A browser plays it without a script, also as an <img>.
#pragma once
#include <string>

#include "figure/drawing/drawing.h"

namespace lanewise {

// As svg() (figure/drawing/svg.h). What both hold at different places, at one size and in one
// colour, moves; else what only one of them holds fades (figure/drawing/motion.h says which belong
// together). Where the reader wants less motion it stands still, as `to`. As large as both need.
std::string moving_svg(const Drawing& from, const Drawing& to, const Palette& palette,
                       const std::string& label);

}  // namespace lanewise
