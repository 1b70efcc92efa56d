// One lane of one access, the innermost step of the zoom: how its address comes about, and its
// bytes in the memory line, or the bank, that they lie in.
#pragma once
#include <string>

#include "figure/drawing/drawing.h"
#include "trace/report.h"

namespace lanewise {

struct LaneFigureInput {
    const BlockTrace* block = nullptr;
    const Report* report = nullptr;
    int access = 0;  // index into block->accesses, of either space
    int lane = 0;
    int element_bytes = 4;
    uint32_t block_x = 32, block_y = 1;  // blockDim, to name the lane's thread
    std::string expression, numbers;  // as in the source, and with this lane's numbers; may be ""
    float width = 600;
};
// Global memory: the line of 128 bytes, byte by byte: this lane's, other lanes', fetched for
// nobody, and which sectors the block asked for before. Shared memory: its word, bank and
// wavefront. Hits: lane:N. Fits `width` from 300 points on.
Drawing lane_figure(const LaneFigureInput& input, const Measure& measure);

}  // namespace lanewise
