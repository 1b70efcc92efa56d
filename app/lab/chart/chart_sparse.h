// From how many zeros on it pays to leave them out: sparse against dense.
#pragma once
#include <optional>

#include "lab/chart/charts.h"

namespace lanewise {

// The knob of a stage that multiplies a sparse matrix: so many of a hundred elements are zero.
inline constexpr const char* kZerosKnob = "ZEROS";

// The first stage of the operation that has the knob; null: there is none.
const Stage* sparse_stage(const ChartFacts& facts);

// The share of zeros, in per cent, at which both take as long: between the two neighbouring points
// of `sparse` and `dense` (the same shares, rising) where the ratio of the times passes 1, as if
// its logarithm were a straight line there. Nothing where it does not.
std::optional<double> crossover(const std::vector<PlotPoint>& sparse,
                                const std::vector<PlotPoint>& dense);

}  // namespace lanewise
