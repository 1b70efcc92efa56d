// Counts a launch: one Counter per interpreting thread, merged into a Report at the end.
#pragma once
#include <memory>
#include <span>

#include "ptx/instruction.h"
#include "sim/event.h"
#include "sim/machine.h"
#include "trace/report.h"

namespace lanewise {

class Counter : public Observer {
  public:
    explicit Counter(const ptx::Kernel& kernel);
    ~Counter() override;
    void on_memory(const MemoryEvent&) override;
    void on_fault(const Fault&) override;

    struct State;
    const State& state() const { return *state_; }

  private:
    std::unique_ptr<State> state_;
};

// The sum of what the counters saw, with source positions and texts. Does not depend on how the
// blocks were spread over counters. `shape` and `memory` give findings their coordinates and names.
Report merge(const ptx::Kernel& kernel, std::span<const Counter* const> counters,
             const LaunchShape& shape, const Memory& memory);

// Keeps every access of the blocks it is run over; meant for one block at a time.
class BlockRecorder : public Observer {
  public:
    BlockRecorder(const ptx::Kernel& kernel, const LaunchShape& shape, const Memory& memory);
    ~BlockRecorder() override;
    void on_memory(const MemoryEvent&) override;
    BlockTrace take();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanewise
