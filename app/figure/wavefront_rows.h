// The wavefronts of one shared-memory access, one row of 32 bank cells each. Private to figure/.
#pragma once
#include <vector>

#include "figure/drawing.h"
#include "trace/rules.h"

namespace lanewise {

// Draws from `at` downwards over `width`; `lane` is highlighted where 0 or more. Returns the y
// below.
float wavefront_rows(Drawing& drawing, Point at, float width,
                     const std::vector<Wavefront>& schedule, int lane, const Measure& measure);

}  // namespace lanewise
