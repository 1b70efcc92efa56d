// All blocks of a cooperative launch, alive at once: each runs until it waits at the grid's barrier
// or ends, then all that wait go on. What a block does between two barriers is done by one thread,
// so that it does not depend on the number of threads.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "sim/run/block.h"

namespace lanewise {

// Throws Error(bad_input) for a grid that no card holds at once.
void check_together(const LaunchShape& shape);

// Runs the whole grid of a kernel whose blocks wait for each other (ptx/grid_barrier.h), on `threads`
// threads. Each block has an observer of its own, as blocks take turns at every barrier of the grid.
// Where not every block comes to such a barrier, one Fault (deadlock) says so, and the rest of the
// launch is left. Returns the warp instructions executed. Throws as Machine::run(), and where the
// blocks' registers and memory would not fit here together.
uint64_t run_together(const ptx::Kernel& kernel, const LaunchShape& shape,
                      std::span<const std::byte> arguments, Memory& memory,
                      std::span<Observer* const> by_block, int threads,
                      const Machine::Limits& limits);

class Together {
  public:
    // The observers: one for each block. mine: a block that the caller runs, or kNone. Throws
    // Error(bad_input) where the blocks would not fit into memory.
    static constexpr uint64_t kNone = ~uint64_t{0};
    Together(const ptx::Kernel& kernel, const DecodedKernel& decoded, const LaunchShape& shape,
             std::span<const std::byte> arguments, Memory& memory,
             std::span<Observer* const> by_block, const Machine::Limits& limits,
             uint64_t mine = kNone);
    void run(int threads);
    uint64_t executed(uint64_t block) const { return executed_[block]; }  // warp instructions

    // Part by part, for OtherBlocks. Every block but `mine` runs to its next barrier or its end.
    void run_part(int threads);
    void set_mine(BlockRunner& mine, bool waits);
    // Nobody waits, or those that do wait for ever, which is told of.
    bool is_over();
    void finish();

  private:
    bool is_open();
    void tell_of_deadlock();
    bool has_fault() const;

    const LaunchShape& shape_;
    const Machine::Limits limits_;
    const std::byte* workspace_ = nullptr;
    const uint64_t mine_;
    bool has_begun_ = false;
    bool flipped_ = false;  // the barrier's top bit, as the last one left it
    std::vector<std::unique_ptr<BlockRunner>> owned_;  // null: mine
    std::vector<BlockRunner*> blocks_;
    std::vector<uint8_t> waits_;
    std::vector<uint64_t> executed_;
};

class ClusterRunner;  // clusters.h

// All blocks but the one that a Stepper looks at, of a launch whose blocks wait for each other; of one
// in clusters those of its cluster. One observer hears of them all.
class OtherBlocks {
  public:
    OtherBlocks(const ptx::Kernel& kernel, const DecodedKernel& decoded, const LaunchShape& shape,
                std::span<const std::byte> arguments, Memory& memory, Observer& observer,
                const Machine::Limits& limits);
    ~OtherBlocks();
    // At the launch's start, before `runner` begins block `mine`.
    void begin(uint32_t mine, BlockRunner& runner);
    // `mine` waits at the barrier; the others run to it. False where it never opens.
    bool reach_barrier(BlockRunner& mine);
    // `mine` has ended; the others run on.
    void finish(BlockRunner& mine);

  private:
    const ptx::Kernel& kernel_;
    const DecodedKernel& decoded_;
    const LaunchShape shape_;
    std::span<const std::byte> arguments_;
    Memory& memory_;
    Observer& observer_;
    const Machine::Limits limits_;
    std::unique_ptr<Together> together_;
    std::unique_ptr<ClusterRunner> cluster_;
};

}  // namespace lanewise
