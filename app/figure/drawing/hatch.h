// Where the strokes of a hatched place lie: "in vain", "padding". Figures and the window's own bars
// hatch alike, so that what is wasted looks the same without colour.
#pragma once
#include <algorithm>
#include <cmath>

#include "figure/drawing/drawing.h"

namespace lanewise {

// Calls stroke(from, to) for each. Strokes are `spacing` apart along both axes; all three in one unit.
template <class Stroke>
void for_each_hatch_stroke(Box box, float spacing, const Stroke& stroke) {
    // Strokes x + y = c, clipped to the box by hand: no renderer needs to clip.
    const float right = box.x + box.w, bottom = box.y + box.h;
    // The phase hangs on absolute coordinates, so that neighbouring boxes join seamlessly.
    const float first = std::floor((box.x + box.y) / spacing) * spacing + spacing;
    for (float c = first; c < right + bottom; c += spacing) {
        const float x0 = std::max(box.x, c - bottom), x1 = std::min(right, c - box.y);
        if (x1 - x0 > 0.5f) stroke(Point{x0, c - x0}, Point{x1, c - x1});
    }
}

}  // namespace lanewise
