// One block of a launch in clusters, looked at by itself: its whole cluster runs, as it depends on
// the others.
#pragma once
#include "lab/machine/prepared.h"
#include "trace/check/checker.h"

namespace lanewise {

// observer: hears of this block alone. checker: the one among its observers, which is told what the
// other blocks do to it. Returns the block's warp instructions. Throws as Machine::run().
uint64_t run_block_of_cluster(const PreparedKernel& prepared, const LaunchShape& launch,
                              StageLaunch& stage, uint64_t block, Observer& observer,
                              Checker& checker, const Machine::Limits& limits);

}  // namespace lanewise
