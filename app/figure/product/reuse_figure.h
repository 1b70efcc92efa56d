// How often each element of A and B is fetched, as heat maps: from global memory above, from shared
// memory below; and beside them how often each element of C is written.
#pragma once
#include <string>

#include "figure/drawing/drawing.h"
#include "trace/product/reuse.h"

namespace lanewise {

struct ReuseFigureInput {
    const ReuseMap *a = nullptr, *b = nullptr;
    std::string caption;  // "256 x 256 x 64, the whole launch"
    float width = 560;
    const ReuseMap* c = nullptr;  // may be null: two matrices only
};
// Matrices of many elements are drawn in cells of several, each their mean. The stronger the colour
// the more fetches; each map says its range in words, and each cell its number at the pointer. Fits
// `width` from 360 points on.
Drawing reuse_figure(const ReuseFigureInput& input, const Measure& measure);

}  // namespace lanewise
