#include "sim/operation/cluster_access.h"

#include <bit>
#include <string>

#include "sim/warp/cluster.h"
#include "sim/warp/work.h"

namespace lanewise {

namespace {

struct Lane {
    Warp& w;
    const Op& op;
    int number;
    uint32_t bytes;
    bool stores;

    // text: what is to be said, or nothing where the kind's own words do.
    void report(Fault::Kind kind, uint64_t offset, std::string text = {}) const {
        BlockMemory& memory = *w.memory;
        memory.work += kWorkOfFault;
        memory.observer->on_fault(
            {kind, Space::shared, stores, static_cast<uint8_t>(bytes), op.instruction, memory.block,
             w.index * kLanes + static_cast<uint32_t>(number), offset, std::move(text)});
    }
    // Whether that block's memory is there; else what is wrong with it is told.
    bool is_there(uint32_t rank, uint64_t offset) const {
        std::string problem = w.memory->cluster->problem_with(rank);
        if (problem.empty()) return true;
        report(Fault::Kind::out_of_bounds, offset,
               std::string(stores ? "store to" : "load of") + " the shared memory of block " +
                   problem);
        return false;
    }
};

}  // namespace

uint32_t reach_cluster(Warp& w, const Op& op, Operations::Where where, uint32_t lanes,
                       const std::array<uint64_t, kLanes>& addresses, uint32_t bytes, bool loads,
                       bool stores, ClusterLanes& found, uint32_t register_bytes) {
    BlockCluster& cluster = *w.memory->cluster;
    uint32_t elsewhere = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        int n = std::countr_zero(rest);
        auto i = static_cast<size_t>(n);
        uint64_t address = addresses[i];
        if (where == Operations::Where::generic) {
            if (address - kSharedWindow >= kWindowBytes) continue;
            address -= kSharedWindow;
        }
        uint32_t rank = rank_of(address);
        if (rank == kOwn) continue;
        elsewhere |= 1u << n;
        uint64_t offset = found.inside[i] = offset_of(address);
        Lane lane{w, op, n, bytes, stores};
        if (!lane.is_there(rank, offset)) continue;
        uint64_t size = cluster.blocks[rank]->shared_bytes;
        if (offset > size || size - offset < bytes) {
            lane.report(Fault::Kind::out_of_bounds, offset);
        } else if (offset % bytes != 0) {
            lane.report(Fault::Kind::misaligned, offset);
        } else {
            found.by_rank[rank] |= 1u << n;
            found.good |= 1u << n;
        }
    }
    w.memory->work += work_of_lanes(found.good);
    MemoryEvent event{op.instruction,
                      Space::shared,
                      stores && !loads,
                      static_cast<uint8_t>(bytes),
                      w.memory->block,
                      static_cast<uint16_t>(w.index),
                      0,
                      &found.inside};
    if (loads && stores) event.kind = AccessKind::atomic;
    if (register_bytes != 0 && stores) {
        event.registers = w.state;
        event.rows = op.vector.data();
        event.elements = op.elements;
        event.register_bytes = static_cast<uint8_t>(register_bytes);
    }
    for (uint32_t rank = 0; rank < cluster.count; ++rank) {
        if (found.by_rank[rank] == 0) continue;
        event.mask = found.by_rank[rank];
        event.shared = cluster.blocks[rank]->shared;
        cluster.observer->on_access({w.memory->rank, rank, loads, stores, event});
    }
    return elsewhere;
}

}  // namespace lanewise
