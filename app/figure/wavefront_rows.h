// The wavefronts of one shared-memory access, one row of 32 bank cells each. Private to figure/.
#pragma once
#include <vector>

#include "figure/drawing.h"
#include "trace/rules.h"

namespace lanewise {

// The words of the n-th wavefront stand from step n on; their places stand always. Draws from `at`
// downwards over `width`; `lane` is highlighted where 0 or more. Returns the y below.
float wavefront_rows(Drawing& drawing, Point at, float width,
                     const std::vector<Wavefront>& schedule, int lane, const Measure& measure);

}  // namespace lanewise
