#include "lab/machine/cluster_block.h"

#include <deque>

#include "sim/run/clusters.h"
#include "trace/both.h"
#include "trace/check/cluster_check.h"

namespace lanewise {

uint64_t run_block_of_cluster(const PreparedKernel& prepared, const LaunchShape& launch,
                              StageLaunch& stage, uint64_t block, Observer& observer,
                              Checker& checker, const Machine::Limits& limits) {
    check_launch(launch, prepared.kernel, stage.arguments().size());
    constexpr size_t kFew = 256;  // sectors: what others do to global memory is not asked for
    const ClusterGrid grid = cluster_grid(launch, prepared.kernel);
    const uint32_t mine = grid.rank_of(block);
    std::deque<Checker> others;
    std::vector<Checker*> checkers;
    std::vector<Observer*> faults, by_rank;
    for (uint32_t rank = 0; rank < grid.blocks(); ++rank) {
        if (rank != mine) others.emplace_back(prepared.kernel, stage.memory, stage.outputs, kFew);
        checkers.push_back(rank == mine ? &checker : &others.back());
        faults.push_back(rank == mine ? &observer : checkers.back());
    }
    ClusterCheck check(prepared.kernel, checkers, faults);
    std::deque<Both> both;
    for (uint32_t rank = 0; rank < grid.blocks(); ++rank)
        by_rank.push_back(&both.emplace_back(*faults[rank], check.of_block(rank)));
    const DecodedKernel decoded = decode(prepared.kernel);
    ClusterRunner runner(prepared.kernel, decoded, launch, stage.arguments(), stage.memory, by_rank,
                         &check, limits);
    runner.run(grid.cluster_of(block));
    return runner.executed(mine);
}

}  // namespace lanewise
