// What the simulation of a multiprocessor (simulation.h) needs to know of a card beside its
// profile's costs: straight from the calibration's rows "time_…", a row's launch taken off its
// time. Clocks are the multiprocessors'.
#pragma once
#include <array>

#include "model/calibration.h"
#include "model/device_profile.h"
#include "model/timed_code.h"

namespace lanewise {

// What a kind of operation takes.
struct UnitCost {
    double late_clocks = 0;  // from one to the next that needs its result (a chain of one warp's)
    double turn_clocks = 0;  // how long a scheduler's unit is taken by a warp's (64 warps)
};
inline constexpr size_t kUnits = static_cast<size_t>(Unit::wait) + 1;

struct TimingCosts {
    // By unit; those that the calibration does not time are 0. Of Unit::tensor: m16n8k16 of halves; m16n8k8 of doubles is
    // `real_products`, which m16n8k4 takes half of, and m8n8k4 as long as that one.
    std::array<UnitCost, kUnits> units{};
    UnitCost& of(Unit unit) { return units[static_cast<size_t>(unit)]; }
    const UnitCost& of(Unit unit) const { return units[static_cast<size_t>(unit)]; }
    UnitCost real_products;
    double look_clocks = 0;  // L1 looks up a line
    struct Shared {
        double latency_clocks = 0;
        double atomic_late_clocks = 0;  // whose old value is needed
        UnitCost swap;                  // of a lane, in a loop that swaps
    } shared;
    // A slice of L2 changes one sector after another, and in each the word that most lanes change is
    // the one it waits for: its lanes take turns.
    struct Atomics {
        double latency_clocks = 0;  // of one in L2
        double whole_sector_clocks = 0;  // of which each word is changed by one lane
        double returned_sector_clocks = 0;  // all slices together, where old values are needed
        double slices = 0;
        double word_clocks = 0, float_word_clocks = 0;
    } atomics;
    struct L2 {
        double kept_bytes = 0, lost_bytes = 0;  // launch after launch: so many stay, all are lost
    } l2;
    struct Dram {
        double alone_factor = 0, part_factor = 0;  // sectors at random, to those in a stream
    } dram;
    // Of the clock that a kernel has without them: multiprocessors are slower in one that has products of halves or whole
    // numbers on tensor cores, however few. An H200's has 1980 MHz, and 1800 from a product on until there was none for 0.65 us;
    // to change takes it some 0.12 us. Here it is slower from begin to end.
    double clock_with_products = 1;
    bool is_known() const { return of(Unit::single).late_clocks > 0; }
};

// Of the card that the calibration is of. Zeros where it has no such rows. Throws Error(bad_input)
// naming the rows that are missing where it has some.
TimingCosts timing_costs(const Calibration& calibration, const DeviceProfile& device);

}  // namespace lanewise
