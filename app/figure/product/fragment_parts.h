// What the two pictures of fragments share: which part of a matrix a fragment covers. Private to
// figure/.
#pragma once
#include "figure/drawing/drawing.h"
#include "figure/product/fragment_figure.h"
#include "trace/product/fragment_map.h"

namespace lanewise {

// Rows and columns of the whole matrix; nothing where no element of it is held.
struct FragmentExtent {
    int row0 = 0, col0 = 0, rows = 0, cols = 0;
};
FragmentExtent extent_of(const HeldFragment& fragment);

// The caption, and below it what is to be said of the map; gives where the picture begins.
float heading(Drawing& figure, const FragmentFigureInput& input, const std::string& words,
              const Measure& measure);

// An element's square in the colour of its lane, with the lane's number where it fits.
void lane_square(Drawing& figure, Box box, int lane, int chosen, const Measure& measure);

// Of a map with a warpgroup: A, B and C in blocks of 8 x 8, the registers of each block of C, and
// below, for the warp's first block, where the factors lie in shared memory and which lanes hold
// the sums.
Drawing warpgroup_figure(const FragmentFigureInput& input, const Measure& measure);

}  // namespace lanewise
