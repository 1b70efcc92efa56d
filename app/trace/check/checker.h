// Looks for faults that a kernel may survive: reads of bytes that nobody wrote, and races in shared
// memory. An observer of its own beside Counter (trace/both.h): a checked block takes some two and
// a half times as long as one that is only counted, so the lab checks a choice of blocks
// (is_checked) where there are very many.
//
// What is a race: two threads of a block touch the same byte of shared memory, one of them at least
// stores, and nothing orders them (trace/check/block_order.h): no barrier between two warps, no
// __syncwarp between two lanes of a warp, or lanes of one instruction that store different values.
// Not races:
//   - stores of the value that is there already, by whatever threads: the outcome is the same;
//   - atomics and relaxed, acquire or release accesses among each other, and volatile ones of
//     different warps (flags). What they publish counts as ordered for the warp that reads it;
//     volatile accesses among lanes of one warp are races: volatile is no __syncwarp;
//   - a load beside atomics whose value a compare-and-swap then expects (trace/check/atomic_use.h).
// A copy by cp.async is under way from its issue until the issuing thread has waited for it (the
// machine waits that long): whoever touches its target before that races with it, barriers or not.
// From the wait on it is a store of that thread, made at the wait; where an mbarrier tracks it
// (cp.async.mbarrier.arrive), a store that those know who have found the phase over.
// A read that comes before the racing write in the machine's order is reported as the race, not as
// uninitialized too. A block whose barriers went wrong (divergent, deadlock, runaway) is not
// checked further, nor one beyond its first 8,000,000 accesses to shared memory (of lanes), and a
// store outside shared memory silences its uninitialized reads: one fault, one finding. Bulk copies
// (TMA) to shared memory are under way until somebody has found the phase of their mbarrier over,
// and known only to those who have. Bulk copies from it read it until their thread has waited for
// their group, and see of the threads' stores only those with a fence.proxy.async behind them (PTX
// manual, "Memory Consistency Model: Proxies"). So do wgmma's reads,
// until a warp of the warpgroup has waited for them (wgmma.wait_group); what is stored after that
// without a barrier goes unnoticed.
//
// Of global memory only what blocks do to each other is looked at: trace/check/block_conflicts.h.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "ptx/instruction.h"
#include "sim/event/event.h"
#include "sim/warp/machine.h"
#include "trace/check/block_touches.h"
#include "trace/hazards.h"
#include "trace/report.h"

namespace lanewise {

class Checker : public Observer {
  public:
    // outputs: indices into memory.buffers() of those that hold nothing before the launch. A read
    // of a byte of them that its own block has not written is uninitialized_global, as no block may
    // count on another's having run.
    // most_sectors: as for BlockTouches. A kernel whose blocks wait for each other has a checker for
    // each block, and its outputs are not looked at; one whose blocks run in clusters has one for
    // each rank, and the same is so.
    Checker(const ptx::Kernel& kernel, const Memory& memory, std::span<const size_t> outputs,
            size_t most_sectors = BlockTouches::kMostSectors);
    ~Checker() override;
    void on_memory(const MemoryEvent&) override;
    void on_copy_complete(const MemoryEvent&, std::optional<uint32_t> mbarrier) override;
    void on_bulk_access(const BulkAccess&) override;
    void on_bulk_complete(const BulkAccess&, std::optional<uint32_t> mbarrier) override;
    void on_mbarrier(const MbarrierEvent&) override;
    void on_matrix_read(const MemoryEvent&) override;
    void on_proxy_fence(uint32_t block, uint32_t warp, uint32_t lanes) override;
    void on_fault(const Fault&) override;
    void on_barrier(const BarrierEvent&) override;
    void on_arrive(uint32_t block, uint32_t warp, uint32_t barrier) override;
    void on_warp_sync(uint32_t block, uint32_t warp, uint32_t lanes) override;
    void on_block_end(uint32_t block) override;

    // What other blocks of its cluster do in the block's shared memory (cluster_check.h): a store;
    // at an mbarrier, or at what is read as a flag, where who finds it so may know all that this
    // block has done; and what is found there.
    void on_store_from_outside(const MemoryEvent&);
    void on_arrive_from_outside(uint32_t mbarrier);
    void on_publish_from_outside(uint64_t address);
    void on_copy_from_outside(uint32_t warp);  // a bulk copy, told of as one by this warp
    void add(const Hazard&);

    struct State;
    const State& state() const { return *state_; }

  private:
    std::unique_ptr<State> state_;
};

// Adds what the checkers found to report.findings and brings all of them into the order of the
// source: by file, line, column, kind. Does not depend on how the blocks were spread over checkers.
void add_findings(Report& report, const ptx::Kernel& kernel,
                  std::span<const Checker* const> checkers, const LaunchShape& shape,
                  const Memory& memory);

// Whether a launch's checkers look at this block: at all of a launch of up to 4,096; else at the
// first and the last, the corners and some of each edge, and about 500 spread over the grid.
bool is_checked(uint64_t block, const Dim3& grid);

}  // namespace lanewise
