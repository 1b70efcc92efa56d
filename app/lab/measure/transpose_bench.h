// Transposes on the hardware: the timing of stages beside the best copy of the same bytes. bench.h
// is where the rest of the program comes in.
#pragma once
#include <vector>

#include "gpu/cupti_counters.h"
#include "lab/job/measurement.h"

namespace lanewise {

// As measure_together(), of validated jobs that are no products: of one shape and element size.
std::vector<Measurement> measure_transposes(std::vector<Job> jobs, const MeasureOptions& options,
                                            const Progress& progress, const CancelFlag* cancel);

// As count_stage_launch().
CounterReading count_transpose_launch(const Job& job, double time_limit_s,
                                      const CancelFlag* cancel);

}  // namespace lanewise
