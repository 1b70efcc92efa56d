// The wavefronts of one shared-memory access, one row of 32 bank cells each. Private to figure/.
#pragma once
#include <vector>

#include "figure/drawing/drawing.h"
#include "trace/count/rules.h"

namespace lanewise {

inline constexpr int kWordBytes = 4;  // what a bank hands out at once

// The words of the n-th wavefront stand from step n on; their places stand always. Draws from `at`
// downwards over `width`; `lane` is highlighted where 0 or more. Returns the y below.
float wavefront_rows(Drawing& drawing, Point at, float width, float row_height,
                     const std::vector<Wavefront>& schedule, int lane, const Measure& measure);
// How high so many rows are where nothing presses.
float wavefront_row_height(size_t rows);

}  // namespace lanewise
