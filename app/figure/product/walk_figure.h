// A block's walk along K: A on the left, B above, C where they meet, as one multiplies on paper,
// with the parts that a step multiplies and those that are fetched for later ones.
#pragma once
#include <string>

#include "figure/drawing/drawing.h"
#include "trace/product/tile_walk.h"

namespace lanewise {

struct WalkFigureInput {
    const TileWalk* walk = nullptr;
    int step = 0;         // clamped
    std::string caption;  // "block 3 of 4"
    float width = 560;
    float height = 0;  // at most so many points; 0: as many as the width asks for
};
// To scale. Hits: step:N on each part, with its indices and when it was fetched and multiplied.
// Fits `width` from 360 points on, and `height` from 300 on.
Drawing walk_figure(const WalkFigureInput& input, const Measure& measure);

// The steps side by side, `step` marked: what a scrubber runs over. Hits: step:N.
Drawing walk_strip(const TileWalk& walk, int step, float width, const Measure& measure);
// What lies at an x of it, clamped to the steps there are.
int walk_step_at(const TileWalk& walk, float width, float x);

// "Step 3 of 16, k = 32 … 47: …": what the step multiplies, and what is in flight meanwhile.
std::string words_of(const TileWalk& walk, int step);

}  // namespace lanewise
