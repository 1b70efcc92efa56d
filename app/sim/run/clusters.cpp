#include "sim/run/clusters.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "ptx/grid_barrier.h"
#include "sim/decode/decode.h"
#include "sim/run/refusal.h"

namespace lanewise {

namespace {

constexpr uint32_t kBarrier = 16;  // as observers know it; no named barrier has this number

std::string cluster_text(const ptx::BlockLimit& size) {
    return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

}  // namespace

void check_clusters(const LaunchShape& shape, const ptx::Kernel& kernel) {
    const ptx::ClusterSize size = ptx::cluster_size(kernel);
    const ptx::BlockLimit& blocks = size.blocks;
    if (blocks.x == 0) return;
    if (size.count() == 0 || size.count() > ptx::kMostCluster)
        refuse_launch("a cluster of " + cluster_text(blocks) + " blocks; it may have 1 to " +
                      std::to_string(ptx::kMostPortableCluster) + ", and on some cards " +
                      std::to_string(ptx::kMostCluster));
    if (size.most_rank != 0 && size.count() > size.most_rank)
        refuse_launch("a cluster of " + cluster_text(blocks) + " blocks; the kernel says that it has at most " +
                      std::to_string(size.most_rank) + " (.maxclusterrank)");
    const Dim3& grid = shape.grid;
    if (grid.x % blocks.x != 0 || grid.y % blocks.y != 0 || grid.z % blocks.z != 0)
        refuse_launch("a grid of " + cluster_text({grid.x, grid.y, grid.z}) + " blocks in clusters of " +
                      cluster_text(blocks) + "; each side of the grid must be a multiple of the cluster's");
    if (size.count() > 1 && ptx::waits_for_grid(kernel))
        refuse_launch(
            "the kernel works in clusters and waits for its whole grid (grid.sync()), and both "
            "together are not interpreted");
}

uint64_t ClusterGrid::cluster_of(uint64_t block) const {
    uint64_t x = block % grid_.x, y = block / grid_.x % grid_.y, z = block / grid_.x / grid_.y;
    uint64_t columns = grid_.x / size_.x, rows = grid_.y / size_.y;
    return x / size_.x + columns * (y / size_.y + rows * (z / size_.z));
}

uint32_t ClusterGrid::rank_of(uint64_t block) const {
    uint64_t x = block % grid_.x, y = block / grid_.x % grid_.y, z = block / grid_.x / grid_.y;
    return static_cast<uint32_t>(x % size_.x + size_.x * (y % size_.y + size_.y * (z % size_.z)));
}

uint64_t ClusterGrid::block(uint64_t cluster, uint32_t rank) const {
    uint64_t columns = grid_.x / size_.x, rows = grid_.y / size_.y;
    uint64_t x = cluster % columns * size_.x + rank % size_.x;
    uint64_t y = cluster / columns % rows * size_.y + rank / size_.x % size_.y;
    uint64_t z = cluster / columns / rows * size_.z + rank / size_.x / size_.y;
    return x + grid_.x * (y + uint64_t{grid_.y} * z);
}

ClusterGrid cluster_grid(const LaunchShape& shape, const ptx::Kernel& kernel) {
    const ptx::BlockLimit size = ptx::cluster_size(kernel).blocks;
    return {shape.grid, size.x == 0 ? Dim3{} : Dim3{size.x, size.y, size.z}};
}

ClusterRunner::ClusterRunner(const ptx::Kernel& kernel, const DecodedKernel& decoded,
                             const LaunchShape& shape, std::span<const std::byte> arguments,
                             Memory& memory, std::span<Observer* const> by_rank,
                             ClusterObserver* of_cluster, const Machine::Limits& limits,
                             uint32_t mine)
    : grid_(cluster_grid(shape, kernel)), limits_(limits), mine_(mine) {
    cluster_.count = grid_.blocks();
    cluster_.observer = of_cluster ? of_cluster : &nobody_;
    for (uint32_t rank = 0; rank < cluster_.count; ++rank) {
        owned_.push_back(rank == mine
                             ? nullptr
                             : std::make_unique<BlockRunner>(kernel, decoded, shape, arguments,
                                                             memory, *by_rank[rank], limits));
        blocks_.push_back(owned_.back().get());
    }
    begun_.resize(cluster_.count);
    waits_.resize(cluster_.count);
    executed_.resize(cluster_.count);
}

void ClusterRunner::begin(uint64_t cluster) {
    number_ = cluster;
    changes_ = 0;
    idle_rounds_ = 0;
    cluster_.start();
    std::fill(begun_.begin(), begun_.end(), 0);
    std::fill(waits_.begin(), waits_.end(), 0);
    std::array<uint32_t, ptx::kMostCluster> numbers{};
    for (uint32_t rank = 0; rank < cluster_.count; ++rank) {
        numbers[rank] = static_cast<uint32_t>(grid_.block(cluster, rank));
        BlockMemory& memory = blocks_[rank]->memory();
        memory.cluster = &cluster_;
        memory.rank = rank;
        cluster_.blocks[rank] = &memory;
    }
    if (mine_ != kNone) begun_[mine_] = cluster_.is_there[mine_] = true;
    cluster_.observer->on_start(std::span(numbers).first(cluster_.count));
}

void ClusterRunner::note_returned(uint32_t rank) {
    if (cluster_.has_left[rank] || !blocks_[rank]->has_returned()) return;
    cluster_.has_left[rank] = true;
    ++cluster_.changes;
    cluster_.observer->on_leave(rank);
}

void ClusterRunner::run_part() {
    for (uint32_t rank = 0; rank < cluster_.count; ++rank) {
        if (rank == mine_) continue;
        if (!begun_[rank]) {
            begun_[rank] = cluster_.is_there[rank] = true;
            waits_[rank] =
                blocks_[rank]->begin_together(static_cast<uint32_t>(grid_.block(number_, rank)));
        } else if (waits_[rank]) {
            waits_[rank] = blocks_[rank]->go_on();
        }
        note_returned(rank);
    }
}

// Whether every thread that has not returned has arrived at the barrier; then it is open.
bool ClusterRunner::opens() {
    bool is_used = false;
    for (uint32_t rank = 0; rank < cluster_.count; ++rank) {
        if (!cluster_.has_left[rank] && !blocks_[rank]->has_arrived()) return false;
        for (uint32_t lanes : cluster_.arrived[rank].lanes) is_used |= lanes != 0;
    }
    if (!is_used) return false;
    for (uint32_t rank = 0; rank < cluster_.count; ++rank) {
        const BlockCluster::Arrived& arrived = cluster_.arrived[rank];
        BarrierEvent event{cluster_.blocks[rank]->block, 0,       0, false,
                           &arrived.instruction,         kBarrier};
        for (size_t warp = 0; warp < arrived.lanes.size(); ++warp)
            event.warps |= (arrived.lanes[warp] != 0 ? 1u : 0u) << warp;
        if (event.warps != 0) cluster_.blocks[rank]->observer->on_barrier(event);
    }
    cluster_.open();
    return true;
}

bool ClusterRunner::is_over(bool mine_waits) {
    auto is_set = [](const std::atomic<bool>* flag) {
        return flag && flag->load(std::memory_order_relaxed);
    };
    if (is_set(limits_.stop) || is_set(limits_.cancel)) return true;
    if (mine_ != kNone) {
        waits_[mine_] = mine_waits;
        note_returned(mine_);
    }
    auto is_one = [](uint8_t each) { return each != 0; };
    if (!std::all_of(begun_.begin(), begun_.end(), is_one)) return false;
    if (std::none_of(waits_.begin(), waits_.end(), is_one)) return true;
    if (opens() || cluster_.changes != changes_) {
        idle_rounds_ = 0;
        changes_ = cluster_.changes;
        return false;
    }
    if (++idle_rounds_ < kHopeless) return false;
    // A block that a fault has ended comes nowhere any more, and that fault is told of.
    bool has_fault = std::any_of(blocks_.begin(), blocks_.end(),
                                 [](const BlockRunner* block) { return block->has_fault(); });
    if (!has_fault) tell_of_deadlock();
    return true;
}

void ClusterRunner::tell_of_deadlock() {
    auto count = std::count(waits_.begin(), waits_.end(), 1);
    auto first = static_cast<uint32_t>(std::find(waits_.begin(), waits_.end(), 1) - waits_.begin());
    std::string late;
    for (uint32_t rank = 0; rank < cluster_.count && late.empty(); ++rank)
        if (!cluster_.has_left[rank] && !blocks_[rank]->has_arrived())
            late = "; some thread of block " + std::to_string(rank) +
                   " of the cluster has not come to the cluster's barrier";
    blocks_[first]->fault_at_grid(
        std::to_string(count) + " of the " + std::to_string(cluster_.count) +
        " blocks of a cluster wait for each other for ever, block " + std::to_string(first) +
        " here" + late + "; every thread of every block must come to each cluster.sync()");
}

void ClusterRunner::finish() {
    for (uint32_t rank = 0; rank < cluster_.count; ++rank)
        if (rank != mine_ && begun_[rank])
            executed_[rank] =
                blocks_[rank]->finish_together(static_cast<uint32_t>(grid_.block(number_, rank)));
}

uint64_t ClusterRunner::run(uint64_t cluster) {
    begin(cluster);
    do run_part();
    while (!is_over(false));
    finish();
    uint64_t executed = 0;
    for (uint64_t each : executed_) executed += each;
    return executed;
}

}  // namespace lanewise
