// What blocks of a cluster do to each other's shared memory: races, and blocks that are not there
// yet or any more. It stands beside the Checkers of the blocks, which look at what each block's own
// threads do (trace/check/checker.h).
//
// Blocks have clocks. What a block did is known to another one that has passed the cluster's barrier
// or an mbarrier at which it arrived, or has read what it published by an atomic or a flag. Within a
// block all is taken to be in order, and so is what comes before a block's last arrival at a
// barrier: a race that only some warps of a block can have is missed, and none is found that is not
// there. A bulk copy from one block's shared memory to another's is held against what was done to its
// destination before; what is done there later is for the Checker of that block to see. Other copies
// are not looked at.
//
//   - Two blocks touch a word, one stores, and neither knows of the other: race. Not of stores of
//     the value that is there already, nor of atomics and flags among each other.
//   - An access to a block of which nothing is known: it may not have begun.
//   - A block returns without knowing of an access to its shared memory: that may come too late.
//   - A block returns without knowing that a bulk copy out of its shared memory is there: it may still
//     be read. Only the block that it goes to learns that, from its mbarrier.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "ptx/cluster.h"
#include "ptx/instruction.h"
#include "sim/event/cluster.h"
#include "trace/check/checker.h"

namespace lanewise {

class ClusterCheck : public ClusterObserver {
  public:
    // By rank: the block's checker, and who hears of the faults that are found.
    ClusterCheck(const ptx::Kernel& kernel, std::span<Checker* const> checkers,
                 std::span<Observer* const> faults);
    ~ClusterCheck() override;

    // Hears what the block itself does. To stand beside its checker.
    Observer& of_block(uint32_t rank);

    void on_start(std::span<const uint32_t> blocks) override;
    void on_access(const ClusterAccess&) override;
    void on_arrive(uint32_t rank, uint32_t phase) override;
    void on_pass(uint32_t rank, uint32_t phase) override;
    void on_remote_arrive(uint32_t rank, uint32_t owner, uint32_t address) override;
    void on_copy(uint32_t rank, uint32_t owner, uint32_t warp) override;
    void on_shared_copy(const ClusterAccess&, uint32_t mbarrier) override;
    void on_leave(uint32_t rank) override;

  private:
    using Clock = std::array<uint32_t, ptx::kMostCluster>;  // by rank
    struct Past {
        uint32_t time = 0;  // of its block's clock; 0: none
        uint32_t instruction = 0, block = 0;
        uint16_t thread = 0;
        uint8_t rank = 0;
        bool is_strong = false, is_store = false;
    };
    struct Piece {
        Past write;
        std::array<Past, 2> reads;  // since, of two blocks where there are such
    };
    struct Traits {
        bool is_strong, is_unread;
    };
    struct SharedCopy {
        Past issued;  // by the block whose shared memory it reads
        uint32_t owner, mbarrier;
        uint32_t there_at = 0;  // of the owner's clock, when it finds that it has come; 0: not yet
        bool source_left = false;
    };
    struct Tap;  // of_block()

    void touch(uint32_t rank, uint32_t owner, const MemoryEvent& event, bool loads, bool stores);
    bool meets(const Past& then, const Past& now) const;
    void race(const Past& now, bool now_stores, const Past& then, bool then_stores, uint32_t owner,
              uint64_t address);
    bool stores_the_same(const MemoryEvent& event, uint32_t lane, uint64_t address) const;
    void own_access(uint32_t rank, const MemoryEvent& event);
    void own_mbarrier(uint32_t rank, const MbarrierEvent& event);
    void exchange(uint32_t rank, Clock& place, bool loads, bool stores);
    void release(uint32_t rank) { ++clocks_[rank][rank]; }
    void note_access(const ClusterAccess& access);
    void keep_copy(const Past& issued, uint32_t owner, uint32_t mbarrier);
    void find_copies(uint32_t owner, uint64_t mbarrier);
    void left_too_soon(const SharedCopy& copy);

    const uint32_t count_;
    std::vector<Checker*> checkers_;
    std::vector<Observer*> faults_;
    std::vector<Traits> traits_;  // by instruction
    uint32_t piece_bytes_ = 4;
    bool is_used_ = false;  // the kernel reaches into other blocks' memory at all
    std::vector<std::unique_ptr<Tap>> taps_;

    std::array<Clock, ptx::kMostCluster> clocks_{};
    std::array<uint32_t, ptx::kMostCluster> blocks_{};  // linear
    struct Gathered {
        uint32_t phase = ~0u;
        Clock clock{};
    };
    std::array<Gathered, 2> barrier_;  // the present phase and the one before
    std::map<std::pair<uint32_t, uint64_t>, Clock> mbarriers_, flags_;  // by owner and address
    Clock global_{};                          // what is published by global memory
    std::vector<std::vector<Piece>> shadow_;  // by owner
    // By owner and rank: the last access to the owner's memory.
    std::array<std::array<Past, ptx::kMostCluster>, ptx::kMostCluster> last_{};
    std::vector<SharedCopy> copies_;  // of those with the same instruction, blocks and mbarrier one
};

}  // namespace lanewise
