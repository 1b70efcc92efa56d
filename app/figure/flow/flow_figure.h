// How the data flows: a block's part of each matrix and its shared memory, step by step, and the
// order in which blocks walk the matrices.
#pragma once
#include <string>
#include <vector>

#include "figure/drawing/drawing.h"
#include "trace/product/shared_tiles.h"
#include "trace/record/block_life.h"

namespace lanewise {

// A matrix, and the part of it that the block touches.
struct FlowMatrix {
    std::string name;
    int buffer = -1;  // index into BlockTrace::buffers
    int64_t rows = 0, cols = 0;
    int element_bytes = 4;
    TouchedBox part;
};
struct FlowFigureInput {
    const BlockTrace* block = nullptr;
    const Report* report = nullptr;
    const BlockLife* life = nullptr;
    int step = -1;                       // into life; -1: before the first
    std::vector<FlowMatrix> matrices;    // in the order in which they are drawn
    int tile_rows = 0, tile_pitch = 32;  // of shared memory, in elements; rows 0: it has none
    int tile_element_bytes = 4;
    const SharedTiles* tiles = nullptr;  // where several matrices have one each; else null
    float width = 600;
};
// Whether there is more than one matrix that shared memory is filled from, so that each has a tile.
bool has_tiles_of_matrices(const SharedTiles& tiles);
// One panel each, from left to right as the data go: what is read; what it is brought to in shared
// memory, each matrix beside its own tile; what is written. An arrow stands for each way that they
// go. Where there is no room for that, the panels of one way lie below each other. In a panel are
// cells in the colours of the lanes that have
// touched them up to the step, those of the step itself in full, with the borders of its sectors.
// What shuffles hand on stands between them as well: the elements in a warp's registers, each in the
// colour of the lane that holds it; and of a shuffle who gives to whom.
// A copy touches its source where it is issued and its destination where it is done; in between a
// dashed frame stands where it will arrive. Large parts are drawn in cells of several elements.
// Fits `width` from 300 points on.
Drawing flow_figure(const FlowFigureInput& input, const Measure& measure);
// "Warp 3 loads from in, row 7, columns 32 to 63: 4 sectors"; of a copy, what it moves and when it
// has arrived.
std::string flow_words(const FlowFigureInput& input);

struct WalkPanel {
    std::string name;
    int64_t rows = 0, cols = 0;
    std::vector<TouchedBox> boxes;   // of the blocks that are shown, in their order
    std::vector<std::string> words;  // below it
};
struct BlockOrderFigureInput {
    std::vector<WalkPanel> panels;
    uint64_t chosen = 0;  // block
    float width = 600;
};
// Each matrix whole, with a box for each block, from the first to the last in the lanes' colours.
// Hits: block:N. Fits `width` from 300 points on.
Drawing block_order_figure(const BlockOrderFigureInput& input, const Measure& measure);

}  // namespace lanewise
