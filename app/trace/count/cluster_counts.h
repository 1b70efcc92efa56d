// What a card's profiler counts of accesses by place in a cluster (mapa): the lanes that reach their own
// block's memory, as accesses to shared memory; those to other blocks not at all. So an instruction of
// which no lane stays at home is not counted. Nsight Compute on an H100, 2026-11-26
// (tests/golden/h200/own_counters.csv, clusters.cu).
#pragma once
#include <span>
#include <vector>

#include "sim/event/cluster.h"
#include "trace/count/counter.h"

namespace lanewise {

// Tells the counters of such accesses, and whoever else is to hear of the cluster (next; may be null) of all.
class ClusterCounts : public ClusterObserver {
  public:
    // By rank; null for blocks that are not counted.
    ClusterCounts(std::span<Counter* const> counters, ClusterObserver* next)
        : counters_(counters.begin(), counters.end()), next_(next ? *next : nobody_) {}

    void on_start(std::span<const uint32_t> blocks) override { next_.on_start(blocks); }
    void on_access(const ClusterAccess& access) override {
        Counter* counter = access.owner == access.rank ? counters_[access.rank] : nullptr;
        if (counter) counter->on_memory(access.event);
        next_.on_access(access);
    }
    void on_arrive(uint32_t rank, uint32_t phase) override { next_.on_arrive(rank, phase); }
    void on_pass(uint32_t rank, uint32_t phase) override { next_.on_pass(rank, phase); }
    void on_remote_arrive(uint32_t rank, uint32_t owner, uint32_t address) override {
        next_.on_remote_arrive(rank, owner, address);
    }
    void on_copy(uint32_t rank, uint32_t owner, uint32_t warp) override {
        next_.on_copy(rank, owner, warp);
    }
    void on_shared_copy(const ClusterAccess& access, uint32_t mbarrier) override {
        next_.on_shared_copy(access, mbarrier);
    }
    void on_leave(uint32_t rank) override { next_.on_leave(rank); }

  private:
    std::vector<Counter*> counters_;
    ClusterObserver nobody_;
    ClusterObserver& next_;
};

}  // namespace lanewise
