// A launch on the machine: every block counted, the blocks that trace/check/checker.h chooses searched
// for races and uninitialized reads too; or a choice of blocks, each of them searched.
#pragma once
#include <span>

#include "lab/job/job.h"
#include "lab/machine/prepared.h"

namespace lanewise {

// Leaves the launch's results in stage.memory. Counts and findings do not depend on the number of
// threads. A block that never ends gives the whole launch up, with its finding. Throws Cancelled
// when `cancel` (may be null) is set.
// only: these blocks, in their order; empty: all. also: is told of every event beside them, from
// all threads at once; may be null.
Report interpret(const PreparedKernel& prepared, const LaunchShape& launch, StageLaunch& stage,
                 int threads, const CancelFlag* cancel, std::span<const uint64_t> only = {},
                 Observer* also = nullptr);

}  // namespace lanewise
