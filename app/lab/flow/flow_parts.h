// What the data flow of a block is drawn from: its life step by step, the matrices that it touches,
// and where its shared memory holds parts of several of them.
#pragma once
#include <vector>

#include "figure/flow/flow_figure.h"
#include "lab/job/job.h"
#include "lab/job/results.h"

namespace lanewise {

struct FlowParts {
    BlockLife life;
    std::vector<FlowMatrix> matrices;
    SharedTiles tiles;  // empty where shared memory is filled from one matrix, so that it is one
};
// `job` is the one that the picture is of.
FlowParts flow_parts(const Picture& picture, const Job& job);

// Of the step `step` of `parts.life`. Both must outlive what comes back.
FlowFigureInput flow_input(const Picture& picture, const FlowParts& parts, int step, float width);

}  // namespace lanewise
