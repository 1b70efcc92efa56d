// The whole ladder on the hardware: all stages of one size timed in turn, round after round, with
// the best copy in every round, so that a drift of the card reaches all of them alike.
#pragma once
#include <cstdint>
#include <vector>

#include "lab/measurement.h"

namespace lanewise {

struct MatrixSize {
    int64_t rows = 0, cols = 0;
};

// Default knobs, the stage's first type. The result holds, size by size, one measurement per
// stage; options.time_limit_s is per stage and size. Throws as measure() does.
std::vector<Measurement> bench(const std::vector<Stage>& stages,
                               const std::vector<MatrixSize>& sizes,
                               const MeasureOptions& options = {}, const Progress& progress = {},
                               const CancelFlag* cancel = nullptr);

// The same for jobs that share rows, cols, batch and bytes per element (Error(bad_input) where they
// do not); measure() is the case of one job.
std::vector<Measurement> measure_together(std::vector<Job> jobs, const MeasureOptions& options = {},
                                          const Progress& progress = {},
                                          const CancelFlag* cancel = nullptr);

}  // namespace lanewise
