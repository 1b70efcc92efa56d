// Counts a launch: one Counter per interpreting thread, merged into a Report at the end.
#pragma once
#include <memory>
#include <span>

#include "ptx/instruction.h"
#include "sim/event/event.h"
#include "sim/warp/machine.h"
#include "trace/report.h"

namespace lanewise {

// How one memory instruction of the PTX counts, where the machine code does not execute it as it is
// written (compile/sass_counts.h finds that out).
struct CountAs {
    int operations = 1;      // per execution; 0: a wider one of another instruction does its work
    int bytes_per_lane = 0;  // of each operation; 0: as in the PTX
    // What the machine code has for an instruction that is no plain load or store.
    enum class Executed : uint8_t {
        as_written,
        reduction,  // for an atom: RED, because nobody wants the old value
        elected,    // for an atom: the same by one lane for all that have its address, in shared memory too (REDUX)
        elected_for_all,  // likewise, and the others work their old values out from its (a shuffle)
        increment,  // for an atom on shared memory: ATOMS.POPC.INC, which serves a word's lanes at
                    // once
        swap_loop,  // for an atomic on shared memory: a load, and compare-and-swap until it holds
        pairs,      // for wmma: plain accesses of two neighbouring elements at once
        quads,      // for wmma of bytes: of four
        elements,   // for wmma: plain accesses, element by element
        matrix_rows,               // for wmma: LDSM
        zeros_by_first_predicate,  // for cp.async: see CopyZeros (trace/count/copy_rules.h)
        zeros_by_size,             // likewise
    };
    Executed executed = Executed::as_written;
    // Wider than the PTX's: every lane's address is rounded down to a multiple of it, and a load
    // that reads what it has just read does not count (repeated_loads.h). Narrower: operation n is
    // at the PTX's address + n * bytes_per_lane.
    bool is_as_written() const {
        return operations == 1 && bytes_per_lane == 0 && executed == Executed::as_written;
    }
    bool operator==(const CountAs&) const = default;
};

class Counter : public Observer {
  public:
    // count_as: one per instruction of memory_instructions(kernel), or none: all as written.
    explicit Counter(const ptx::Kernel& kernel, std::span<const CountAs> count_as = {});
    ~Counter() override;
    void on_memory(const MemoryEvent&) override;
    void on_bulk_copy(const BulkCopyEvent&) override;
    void on_bulk_access(const BulkAccess&) override;
    void on_bulk_complete(const BulkAccess&, std::optional<uint32_t>) override {}
    void on_barrier(const BarrierEvent&) override;
    void on_fault(const Fault&) override;
    void on_print(const Print&) override;

    struct State;
    const State& state() const { return *state_; }

  private:
    std::unique_ptr<State> state_;
};

// The sum of what the counters saw, with source positions and texts. Does not depend on how the
// blocks were spread over counters. `shape` and `memory` give findings their coordinates and names.
Report merge(const ptx::Kernel& kernel, std::span<const Counter* const> counters,
             const LaunchShape& shape, const Memory& memory);

// Keeps every access and every barrier of the blocks it is run over; meant for one block at a time.
class BlockRecorder : public Observer {
  public:
    // count_as: as for Counter; what is recorded are the accesses that it counts.
    BlockRecorder(const ptx::Kernel& kernel, const LaunchShape& shape, const Memory& memory,
                  std::span<const CountAs> count_as = {});
    ~BlockRecorder() override;
    void on_memory(const MemoryEvent&) override;
    void on_bulk_copy(const BulkCopyEvent&) override;
    void on_bulk_done(uint32_t block, uint64_t number) override;
    void on_copy_complete(const MemoryEvent&, std::optional<uint32_t> mbarrier) override;
    void on_barrier(const BarrierEvent&) override;
    void on_shuffle(const ShuffleEvent&) override;
    BlockTrace take();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanewise
