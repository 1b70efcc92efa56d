// bench STAGE --crossover: see engine_crossover.cpp.
#pragma once
#include <string>
#include <vector>

#include "engine/options.h"
#include "engine/where.h"

namespace lanewise {

// For each job, a sparse product of one shape: measures at various shares of zeros until the place
// where it overtakes cuBLAS is known to a quarter of a percent, and prints what it found. svg_file:
// where the last one is drawn; may be empty. The exit status. Throws as run_job() does, and
// Error(bad_input) where there is no cuBLAS.
int find_crossover(const WhereOptions& where, const std::vector<Job>& jobs, bool json,
                   const std::string& svg_file);

}  // namespace lanewise
