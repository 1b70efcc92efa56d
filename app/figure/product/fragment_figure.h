// Which lane holds which element when a warp multiplies with tensor cores, as three grids: A on the
// left, B above, C where they meet, as one multiplies on paper. Of a warpgroup (wgmma) the grids
// are of blocks of 8 x 8, and its factors are shown where they lie in shared memory.
#pragma once
#include <string>

#include "figure/drawing/drawing.h"
#include "trace/product/fragment_map.h"
#include "trace/report.h"

namespace lanewise {

struct FragmentFigureInput {
    const FragmentMap* map = nullptr;
    int lane = -1;        // highlighted lane, or -1
    std::string caption;  // "warp 3, first product: mma.sync.aligned.m16n8k16…"
    float width = 560;
    float height = 0;  // at most so many points, as long as cells can be told apart; 0: any
};
// Each element in the colour of its lane, with the lane's number where it fits; rows and columns
// are those of the whole matrices. Hits: lane:N, and in words which register; of what wgmma reads,
// at which byte of shared memory it lies. Fits `width` from 360
// points on.
Drawing fragment_figure(const FragmentFigureInput& input, const Measure& measure);

// What a warp does that holds no fragment, from what it was traced to do. `multiplying`: bit w for
// each warp of the block that does multiply with tensor cores.
std::string words_without_fragments(uint32_t multiplying, const BlockTrace& block, uint32_t warp);

}  // namespace lanewise
