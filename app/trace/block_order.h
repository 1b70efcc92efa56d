// Which accesses of a block are ordered by barriers: the checker's notion of time.
//
// Two accesses of one thread are ordered. Accesses of two threads are ordered only if a barrier
// (bar.sync, whole block or named) or, within a warp, a __syncwarp that names both lanes lies
// between them, directly or over other threads. That lanes of a warp usually run in step orders
// nothing: since Volta each thread has a program counter of its own, and the compiler may move
// accesses of different threads past each other (CUDA C++ Programming Guide, "Independent Thread
// Scheduling"; PTX manual, "Memory Consistency Model"). Shuffles and votes order nothing either.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

namespace lanewise {

// One access of one thread, as a later one needs to know it. time 0: none.
struct PastAccess {
    uint32_t time = 0;  // by the warp's own clock, which counts its accesses to shared memory
    uint32_t instruction = 0;
    uint16_t thread = 0;
    uint8_t strength = 0;  // checker.cpp
    uint32_t warp() const { return thread / 32u; }
    uint32_t lane() const { return thread % 32u; }
};

class BlockOrder {
  public:
    void start_block();
    // The warp's next access.
    uint32_t tick(uint32_t warp) { return ++warps_[warp].now; }

    bool before(const PastAccess& earlier, uint32_t warp, uint32_t lane) const {
        if (earlier.warp() != warp) return earlier.time <= warps_[warp].known[earlier.warp()];
        if (earlier.lane() == lane || earlier.time <= warps_[warp].all_lanes) return true;
        return warps_[warp].lanes && earlier.time <= (*warps_[warp].lanes)[lane][earlier.lane()];
    }
    // How many accesses its warp had made since the last barrier: tells which of two accesses that
    // no barrier separates comes later in the program, however the machine interleaved them.
    uint32_t progress(const PastAccess& access) const {
        return access.time - warps_[access.warp()].at_barrier;
    }

    // The warps of the mask wait for each other; `finished` ones had ended before, and others may
    // have arrived at the barrier of this number without waiting.
    void barrier(uint32_t warps, uint32_t finished, uint32_t number = 0);
    void arrive(uint32_t warp, uint32_t number);
    void warp_sync(uint32_t warp, uint32_t lanes);
    // The warp has read what the other access published (a flag, an atomic).
    void acquire(uint32_t warp, const PastAccess& published);

  private:
    using LaneTimes = std::array<std::array<uint32_t, 32>, 32>;
    struct WarpTime {
        uint32_t now = 0;
        uint32_t at_barrier = 0;
        uint32_t all_lanes = 0;            // every lane knows every lane's accesses up to here
        std::array<uint32_t, 32> known{};  // by warp: this one comes after all up to here
        std::unique_ptr<LaneTimes> lanes;  // [lane][of lane]; only after a partial __syncwarp
    };
    std::array<WarpTime, 32> warps_;
    std::array<std::array<uint32_t, 32>, 16> arrived_{};  // by barrier: what came before arrivals
};

}  // namespace lanewise
