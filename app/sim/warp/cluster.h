// The blocks of one cluster, as each other's instructions see them: their shared memories, and the
// cluster's barrier (PTX manual, "barrier.cluster"). Private to sim/.
//
// An address within shared::cluster that mapa gives has in its bits 24 to 31 the block's rank plus
// 1; without those bits it is the block's own. A card numbers them otherwise, and no program can
// count on how.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "ptx/cluster.h"
#include "sim/event/cluster.h"
#include "sim/warp/warp.h"

namespace lanewise {

inline constexpr uint32_t kRankShift = 24;

// Of an address within the shared window: which block's it is (kOwn: not said), and where there.
inline constexpr uint32_t kOwn = ~0u;
inline uint32_t rank_of(uint64_t address) {
    return static_cast<uint32_t>(address >> kRankShift) - 1;
}
inline uint64_t offset_of(uint64_t address) { return address & ((1u << kRankShift) - 1); }

struct BlockCluster {
    uint32_t count = 1;
    std::array<BlockMemory*, ptx::kMostCluster> blocks{};        // by rank
    std::array<bool, ptx::kMostCluster> is_there{}, has_left{};  // begun; all threads returned
    ClusterObserver* observer = nullptr;                         // never null while blocks run

    // The barrier. By block and warp: the lanes that have arrived in the present phase, and the
    // phase in which the warp arrived last.
    static constexpr uint32_t kNever = ~0u;
    struct Arrived {
        std::array<uint32_t, 32> lanes{}, phase{}, instruction{};
    };
    uint32_t phase = 0;
    std::array<Arrived, ptx::kMostCluster> arrived{};

    // Whether some block may have learnt something since it last waited in vain.
    uint64_t changes = 0;

    void start() {
        is_there.fill(false);
        has_left.fill(false);
        phase = 0;
        changes = 0;
        for (Arrived& each : arrived) each.lanes.fill(0), each.phase.fill(kNever);
    }
    // What is wrong with going to this block, after "… of block "; empty where it is there.
    std::string problem_with(uint32_t rank) const {
        std::string block = std::to_string(rank) + " of the cluster, which ";
        if (rank >= count)
            return block + "has " + std::to_string(count) + " blocks, 0 to " +
                   std::to_string(count - 1);
        if (!is_there[rank])
            return block +
                   "may not have begun; call cluster.sync() before the first access to "
                   "another block's shared memory";
        if (has_left[rank])
            return block +
                   "has returned: its shared memory is gone. Let all blocks wait until no "
                   "block needs it any more: cluster.sync() at the end";
        return "";
    }

    void arrive(uint32_t rank, uint32_t warp, uint32_t lanes, uint32_t instruction) {
        arrived[rank].lanes[warp] |= lanes;
        arrived[rank].phase[warp] = phase;
        arrived[rank].instruction[warp] = instruction;
        ++changes;
    }
    // Whether the phase in which the warp arrived is over.
    bool is_over(uint32_t rank, uint32_t warp) const {
        uint32_t mine = arrived[rank].phase[warp];
        return mine != kNever && mine < phase;
    }
    void open() {
        for (Arrived& each : arrived) each.lanes.fill(0);
        ++phase;
        ++changes;
    }
};

}  // namespace lanewise
