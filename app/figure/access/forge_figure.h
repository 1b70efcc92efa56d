// The swizzle forge as a picture: the tile as the kernel names it and shared memory as it is, both
// coloured by bank; one access's lanes on them and its wavefronts; how one address comes about.
#pragma once
#include <string>

#include "figure/drawing/drawing.h"
#include "trace/record/column_map.h"

namespace lanewise {

struct ForgeFigureInput {
    const ColumnMap* map = nullptr;
    const TileAccess* access = nullptr;  // null: the tile alone
    int element_bytes = 4;
    int lane = -1;           // highlighted, and whose address is explained; -1: one is chosen
    std::string expression;  // as typed
    float width = 600;
};
// The two grids lie side by side where there is room. Hits: lane:N. Fits `width` from 300 points
// on.
Drawing forge_figure(const ForgeFigureInput& input, const Measure& measure);

}  // namespace lanewise
