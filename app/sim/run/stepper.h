// A block run instruction by instruction: it stops before any of them, can be looked at there, saved,
// and taken back to where it was saved. It never judges, and it costs the machine nothing elsewhere.
//
// A step is one instruction of one warp. Warps take turns as they do everywhere in the machine (to
// the next barrier, or 4,096 instructions), so that the same launch has the same steps each time.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ptx/instruction.h"
#include "sim/event/event.h"
#include "sim/memory/memory.h"
#include "sim/warp/machine.h"

namespace lanewise {

class BlockRunner;
struct DecodedKernel;

// What a warp is about to do.
struct WarpLook {
    enum class State : uint8_t { ready, at_barrier, finished } state = State::ready;
    uint32_t instruction = 0;  // of the present path; index into ptx::Kernel::instructions
    uint32_t lanes = 0;        // of the present path
    uint32_t executing = 0;    // those of them that the instruction's guard lets execute it
    uint32_t live = 0;         // that exist and have not returned
    static constexpr uint32_t kNowhere = ~0u;
    uint32_t meets = kNowhere;  // the instruction at which the path meets others
    // Those that wait, the next one first.
    struct Path {
        uint32_t instruction, lanes, meets;
    };
    std::vector<Path> paths;
    uint64_t executed = 0;  // instructions by this warp
};

class Stepper {
  public:
    // What it is given must outlive it. before_bulk_write is told before a bulk copy stores to global
    // memory, which no observer hears. Throws as Machine and Machine::run() do.
    Stepper(const ptx::Kernel& kernel, const LaunchShape& shape,
            std::span<const std::byte> arguments, Memory& memory, Observer& observer,
            const Machine::Limits& limits,
            std::function<void(const BulkAccess&)> before_bulk_write);
    ~Stepper();

    // Before the block's first instruction. Global memory stays as it is.
    void begin(uint32_t block);
    // Goes on until the block has made `until` steps in all, or its next instruction is one of
    // those whose flag is set (but the first one that it executes), or the block has ended.
    // flags: empty, or one for each instruction.
    void run(uint64_t until, std::span<const uint8_t> flags = {});

    uint32_t block() const { return block_; }
    uint64_t steps() const;  // that the block has made
    bool has_ended() const { return has_ended_; }
    uint32_t warp() const;  // whose instruction is next; not of a block that has ended
    WarpLook look(uint32_t warp) const;

    // A register of all lanes; of a predicate 0 or 1. The rest of a narrow value's bits is 0.
    std::array<uint64_t, 32> values(uint32_t warp, const ptx::Register& reg) const;
    // The step that executed this instruction of this warp last (1: the block's first; 0: none),
    // and the lanes that ever did.
    struct Executed {
        uint64_t step = 0;
        uint32_t lanes = 0;
    };
    Executed executed(uint32_t warp, uint32_t instruction) const;
    // The instruction that the warp executed last; WarpLook::kNowhere before its first.
    uint32_t last(uint32_t warp) const;
    std::span<const std::byte> shared() const;
    std::span<const std::byte> local(uint32_t warp, uint32_t lane) const;

    // All of the block but global memory; valid for this stepper.
    class State;
    std::shared_ptr<const State> save() const;
    void restore(const State& state);
    uint64_t state_bytes() const;  // about as many as save() keeps

  private:
    std::unique_ptr<const DecodedKernel> decoded_;
    std::function<void(const BulkAccess&)> before_bulk_write_;
    std::unique_ptr<BlockRunner> runner_;
    std::vector<std::byte> fresh_rows_;  // of all warps, before any block
    size_t instructions_, operations_;
    uint32_t block_ = 0;
    bool has_ended_ = true;
};

}  // namespace lanewise
