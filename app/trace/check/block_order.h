// Which accesses of a block are ordered by barriers: the checker's notion of time.
//
// Two accesses of one thread are ordered. Accesses of two threads are ordered only if a barrier
// (bar.sync, whole block or named) or, within a warp, a __syncwarp that names both lanes lies
// between them, directly or over other threads. That lanes of a warp usually run in step orders
// nothing: since Volta each thread has a program counter of its own, and the compiler may move
// accesses of different threads past each other (CUDA C++ Programming Guide, "Independent Thread
// Scheduling"; PTX manual, "Memory Consistency Model"). Shuffles and votes order nothing either.
//
// What a warp publishes by an atomic or a flag comes before what another does after it has read
// that; the fences that this takes are taken for granted. Of a lock that the lanes of a warp take
// one after the other, each lane knows what the one before it did.
//
// An mbarrier orders what a warp did before it arrived before what lanes do after they have found
// the phase over; and copies whose end it tracks too, which no thread makes: those are accesses by
// one of a few agents with clocks of their own, numbered as warps from 32 on.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

namespace lanewise {

// One access of one thread, as a later one needs to know it. time 0: none.
struct PastAccess {
    uint32_t time = 0;  // by the warp's own clock, which counts its accesses to shared memory
    uint32_t instruction = 0;
    uint16_t thread = 0;
    uint8_t strength = 0;  // checker.cpp
    bool is_copy = false;  // the end of an asynchronous copy that the instruction issued
    uint32_t warp() const { return thread / 32u; }
    uint32_t lane() const { return thread % 32u; }
};

class BlockOrder {
  public:
    static constexpr uint32_t kAgents = 16;

    void start_block();
    // The warp's next access.
    uint32_t tick(uint32_t warp) { return ++warps_[warp].now; }

    bool before(const PastAccess& earlier, uint32_t warp, uint32_t lane) const {
        if (earlier.warp() != warp) {
            const WarpTime& mine = warps_[warp];
            return earlier.time <= mine.known[earlier.warp()] ||
                   (mine.of_lanes && earlier.time <= (*mine.of_lanes)[lane][earlier.warp()]);
        }
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
    // mbarriers, by their addresses in shared memory.
    void arrive(uint32_t warp, uint32_t lanes, uint32_t mbarrier);
    void end_phase(uint32_t mbarrier);
    void pass(uint32_t warp, uint32_t lanes, uint32_t mbarrier);
    // The next access of the agent whose copies the mbarrier tracks, known to those who pass the
    // present phase.
    struct AgentAccess {
        uint32_t time;
        uint16_t thread;  // for PastAccess
    };
    AgentAccess agent_access(uint32_t mbarrier);
    // An access by nobody of the block, which everybody knows.
    AgentAccess known_to_all();

    // fence.proxy.async: what the warp knows now, bulk copies that come after it may read.
    void proxy_fence(uint32_t warp);
    bool fenced(const PastAccess& earlier, uint32_t warp) const {
        return earlier.time <= warps_[warp].fenced[earlier.warp()];
    }

    // What the warp knows becomes known to whoever reads this place of shared memory (a flag, an
    // atomic). A plain store ends what was published there before; an atomic adds to it.
    void publish(uint32_t warp, uint64_t address, bool adds);
    void acquire(uint32_t warp, uint64_t address);
    // The same from a lane of the warp itself.
    void acquire(uint32_t warp, uint32_t lane, const PastAccess& published);
    // As publish(), of all that the block has done so far.
    void publish_all(uint64_t address);

  private:
    static constexpr uint32_t kClocks = 32 + kAgents;
    using Times = std::array<uint32_t, kClocks>;  // by warp and agent
    using LaneTimes = std::array<std::array<uint32_t, 32>, 32>;
    struct WarpTime {
        uint32_t now = 0;
        uint32_t at_barrier = 0;
        uint32_t all_lanes = 0;  // every lane knows every lane's accesses up to here
        Times known{};           // this one comes after all up to here
        Times fenced{};  // a fence.proxy.async lies behind all up to here, known to this one
        std::unique_ptr<LaneTimes> lanes;  // [lane][of lane]; only after a partial __syncwarp
        // What only some lanes know, as they alone have asked an mbarrier; by lane.
        std::unique_ptr<std::array<Times, 32>> of_lanes;
    };
    struct Phases {
        Times gathered_fenced{}, over_fenced{};
        Times gathered{}, over{};  // by those who arrived in the present phase, and in the last
    };
    static void pass_within(WarpTime& time, uint32_t lanes, uint32_t arrived);
    // What all of these lanes together know becomes known to each.
    void share(WarpTime& time, uint32_t lanes);
    std::array<WarpTime, kClocks> warps_;
    std::map<uint32_t, Phases> mbarriers_;
    std::unordered_map<uint64_t, Times> published_;
    struct Arrived {
        Times known{}, fenced{};
    };
    // By barrier, the 16 of the block and its cluster's: what came before the arrivals.
    std::array<Arrived, 17> arrived_{};
};

}  // namespace lanewise
