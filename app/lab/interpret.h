// The whole launch on the machine: every block counted, the blocks that trace/checker.h chooses
// searched for races and uninitialized reads too.
#pragma once
#include "lab/analysis.h"
#include "lab/prepared.h"

namespace lanewise {

// Leaves the launch's results in stage.memory. Counts and findings do not depend on the number of
// threads. A block that never ends gives the whole launch up, with its finding. Throws Cancelled
// when `cancel` (may be null) is set.
Report interpret(const PreparedKernel& prepared, const LaunchShape& launch, StageLaunch& stage,
                 int threads, const CancelFlag* cancel);

}  // namespace lanewise
