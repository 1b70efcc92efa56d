// How the resident blocks of a kernel fill a multiprocessor, and which resource is full first.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

struct OccupancyBar {
    std::string name;       // "registers"
    int64_t per_block = 0;  // what a block takes
    int64_t room = 1;       // what a multiprocessor has, in the same unit
    bool limits = false;    // this one stops the next block
    std::string words;      // "48 of 64", for the end of the row
    std::string tooltip;
};
struct OccupancyFigureInput {
    std::vector<OccupancyBar> bars;
    int64_t blocks = 0;   // resident
    std::string caption;  // "6 blocks, 48 warps of 64 (75 %): registers are full"
    float width = 560;
};
// One row per resource: one box per resident block, as wide as its share, then what stays free,
// hatched where the next block does not fit. Fits `width` from 360 points on.
Drawing occupancy_figure(const OccupancyFigureInput& input, const Measure& measure);

}  // namespace lanewise
