// Where a warp is: the grid of blocks with the chosen one, and a block's threads with the
// warp's 32. The outer steps of the zoom from grid to byte.
#pragma once
#include <cstdint>

#include "figure/drawing/drawing.h"
#include "sim/warp/machine.h"

namespace lanewise {

struct GridFigureInput {
    Dim3 grid, block;
    uint64_t chosen = 0;  // linear
    float width = 600;
};
// The blocks as the grid has them, numbered in the order in which they are numbered, x first. Where
// there are too many to draw, the whole grid stands at the left with a frame around the part that
// is drawn at the right, block by block. Hits: block:N, also of blocks that share a mark at the
// left. Fits `width` from 300 points on.
Drawing grid_figure(const GridFigureInput& input, const Measure& measure);

struct BlockFigureInput {
    Dim3 block;
    uint32_t warp = 0;
    int lane = -1;
    float width = 600;
};
// The block's threads as it has them, the chosen warp's in their lanes' colours and with their
// lanes' numbers, every warp's number at its first thread. Hits: warp:N, and lane:N of the chosen
// warp. Fits `width` from 300 points on.
Drawing block_figure(const BlockFigureInput& input, const Measure& measure);

}  // namespace lanewise
