// The machine: executes a PTX kernel, 32 lanes at a time, and reports every access to observers.
// It stands between ptx/ (text to instructions) and trace/ (events to counts).
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ptx/instruction.h"
#include "sim/event/event.h"
#include "sim/memory/memory.h"

namespace lanewise {

struct Dim3 {
    uint32_t x = 1, y = 1, z = 1;
    uint64_t count() const { return uint64_t{x} * y * z; }
    bool operator==(const Dim3&) const = default;
};

struct LaunchShape {
    Dim3 grid, block;  // block.count() <= 1024
    uint32_t dynamic_shared_bytes = 0;
};

// A prepared kernel: decoded once, run many times. Immutable, so threads share it.
class Machine {
  public:
    // Decodes the kernel. Throws Error(bad_input) naming any instruction it does not know, with its
    // source line. `kernel` must outlive the machine.
    explicit Machine(const ptx::Kernel& kernel);
    ~Machine();

    // Bytes of static shared memory that the kernel declares.
    uint32_t static_shared_bytes() const;

    struct Limits {
        // Beyond either: Fault runaway, the block is abandoned. Of a block's, instructions that
        // take longer to interpret use up more than one (work.h), so that it bounds the time in
        // which any endless loop is found out, to some half a second, at most two.
        uint64_t instructions_per_block = 64'000'000;
        uint64_t instructions_per_warp = instructions_per_block;
        const std::atomic<bool>* stop = nullptr;  // once true, no further block is started
        // Once true, the present block is left, too, within some milliseconds: counts are then of
        // a part of it.
        const std::atomic<bool>* cancel = nullptr;
    };

    // Runs `blocks` (linear indices) of the launch in order on the calling thread.
    // arguments: the kernel's parameters packed as the driver packs them (natural alignment).
    // Returns the number of warp instructions executed.
    // Throws Error(bad_input) for a launch the hardware would refuse (block too large, too much
    // shared memory, wrong size of arguments).
    uint64_t run(const LaunchShape& shape, std::span<const std::byte> arguments, Memory& memory,
                 uint64_t first_block, uint64_t end_block, Observer& observer,
                 const Limits& limits) const;
    uint64_t run(const LaunchShape& shape, std::span<const std::byte> arguments, Memory& memory,
                 uint64_t first_block, uint64_t end_block, Observer& observer) const {
        return run(shape, arguments, memory, first_block, end_block, observer, Limits{});
    }

    // Runs the whole grid on `observers.size()` threads, one observer each; blocks are handed out
    // in small consecutive ranges. Counts do not depend on the number of threads.
    uint64_t run_all(const LaunchShape& shape, std::span<const std::byte> arguments, Memory& memory,
                     std::span<Observer* const> observers, const Limits& limits) const;

  private:
    struct Decoded;
    std::unique_ptr<const Decoded> decoded_;
};

}  // namespace lanewise
