// The blocks of a cluster, alive at once: each runs until it waits for another one or ends, then the
// next has its turn. One thread runs a whole cluster, so that nothing depends on how many there are.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "ptx/cluster.h"
#include "sim/event/cluster.h"
#include "sim/run/block.h"
#include "sim/warp/cluster.h"

namespace lanewise {

// Throws Error(bad_input), in one sentence, for clusters that a card would not launch: too many
// blocks, a grid that they do not fill, other sizes than the kernel itself asks for.
void check_clusters(const LaunchShape& shape, const ptx::Kernel& kernel);

// Which blocks are in which cluster of a grid. Clusters are numbered as blocks are: x first.
class ClusterGrid {
  public:
    ClusterGrid(const Dim3& grid, const Dim3& cluster) : grid_(grid), size_(cluster) {}
    uint64_t count() const { return grid_.count() / size_.count(); }
    uint32_t blocks() const { return static_cast<uint32_t>(size_.count()); }
    uint64_t cluster_of(uint64_t block) const;
    uint32_t rank_of(uint64_t block) const;
    uint64_t block(uint64_t cluster, uint32_t rank) const;

  private:
    Dim3 grid_, size_;
};
ClusterGrid cluster_grid(const LaunchShape& shape, const ptx::Kernel& kernel);

class ClusterRunner {
  public:
    // by_rank: an observer for each block of a cluster, as blocks take turns. mine: a block that the
    // caller runs, by its rank, or kNone. Throws as Machine::run() does.
    static constexpr uint32_t kNone = ~0u;
    ClusterRunner(const ptx::Kernel& kernel, const DecodedKernel& decoded, const LaunchShape& shape,
                  std::span<const std::byte> arguments, Memory& memory,
                  std::span<Observer* const> by_rank, ClusterObserver* of_cluster,
                  const Machine::Limits& limits, uint32_t mine = kNone);
    // Returns the warp instructions executed.
    uint64_t run(uint64_t cluster);
    uint64_t executed(uint32_t rank) const { return executed_[rank]; }  // by the last cluster

    // Part by part, for a Stepper: see OtherBlocks (together.h).
    void begin(uint64_t cluster);
    void set_mine(BlockRunner& mine) { blocks_[mine_] = &mine; }
    BlockCluster& cluster() { return cluster_; }
    // Every block but `mine` runs until it waits or ends.
    void run_part();
    // Nobody waits, or those that do wait for ever, which is told of. mine_waits: `mine` does.
    bool is_over(bool mine_waits);
    void finish();

  private:
    bool opens();
    void note_returned(uint32_t rank);
    void tell_of_deadlock();

    const ClusterGrid grid_;
    const Machine::Limits limits_;
    const uint32_t mine_;
    ClusterObserver nobody_;
    BlockCluster cluster_;
    uint64_t number_ = 0, changes_ = 0;
    uint32_t idle_rounds_ = 0;
    std::vector<std::unique_ptr<BlockRunner>> owned_;  // null: mine
    std::vector<BlockRunner*> blocks_;
    std::vector<uint8_t> begun_, waits_;
    std::vector<uint64_t> executed_;
};

}  // namespace lanewise
