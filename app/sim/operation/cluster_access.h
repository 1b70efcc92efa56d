// Lanes whose addresses say a block of their cluster (sim/warp/cluster.h), sorted by block. Plain
// loads and stores go on from here (access.h), and all others (reach.h).
#pragma once
#include <array>

#include "ptx/cluster.h"
#include "sim/operation/operations.h"

namespace lanewise {

struct ClusterLanes {
    std::array<uint64_t, kLanes> inside{};              // the offset in the block's shared memory
    std::array<uint32_t, ptx::kMostCluster> by_rank{};  // lanes that may go on
    uint32_t good = 0;                                  // all of those
};

// Which of `lanes` they are, whether they may go on or not. Those that may not are reported: blocks
// that are not there (yet, or any more), and what is out of bounds or not aligned. The cluster's
// observer hears of the others. where: shared or generic. register_bytes: of a plain store, of the
// registers that it takes from (Op::vector).
uint32_t reach_cluster(Warp& w, const Op& op, Operations::Where where, uint32_t lanes,
                       const std::array<uint64_t, kLanes>& addresses, uint32_t bytes, bool loads,
                       bool stores, ClusterLanes& found, uint32_t register_bytes = 0);

}  // namespace lanewise
