// What the simulation of a multiprocessor (simulation.h) needs to know of a card beside its
// profile's costs: straight from the calibration's rows "time_…", a row's launch taken off its
// time. Clocks are the multiprocessors'.
#pragma once
#include "model/calibration.h"
#include "model/device_profile.h"

namespace lanewise {

struct TimingCosts {
    // By kind of operation: from one to the next that needs its result (a chain of one warp's), and
    // how long a scheduler's unit is taken by a warp's (64 warps).
    double float_late_clocks = 0, float_turn_clocks = 0;
    double half_late_clocks = 0, half_turn_clocks = 0;
    double double_late_clocks = 0, double_turn_clocks = 0;
    double integer_late_clocks = 0, integer_turn_clocks = 0;
    double multiply_late_clocks = 0, multiply_turn_clocks = 0;
    double compare_late_clocks = 0, compare_turn_clocks = 0;
    double shift_late_clocks = 0, shift_turn_clocks = 0;
    double function_late_clocks = 0, function_turn_clocks = 0;
    double count_late_clocks = 0, count_turn_clocks = 0;
    double convert_late_clocks = 0, convert_turn_clocks = 0;
    double shuffle_late_clocks = 0, shuffle_turn_clocks = 0;
    double vote_late_clocks = 0, vote_turn_clocks = 0;
    double reduce_late_clocks = 0, reduce_turn_clocks = 0;
    double tensor_late_clocks = 0, tensor_turn_clocks = 0;  // of m16n8k16 of halves
    double shared_latency_clocks = 0;
    double shared_atomic_late_clocks = 0;                           // whose old value is needed
    double shared_swap_late_clocks = 0, shared_swap_turn_clocks = 0;  // of a lane, in a loop that swaps
    double atomic_latency_clocks = 0;                               // of one in L2
    // A slice of L2 changes one sector after another; a word's lanes take turns.
    double atomic_sector_clocks = 0, atomic_slices = 0;
    double atomic_word_clocks = 0, atomic_float_word_clocks = 0;
    double l2_kept_bytes = 0, l2_lost_bytes = 0;  // launch after launch: so many stay, all are lost
    double dram_alone_factor = 0, dram_part_factor = 0;  // sectors at random, to those in a stream
    bool is_known() const { return float_late_clocks > 0; }
};

// Of the card that the calibration is of. Zeros where it has no such rows. Throws Error(bad_input)
// naming the rows that are missing where it has some.
TimingCosts timing_costs(const Calibration& calibration, const DeviceProfile& device);

}  // namespace lanewise
