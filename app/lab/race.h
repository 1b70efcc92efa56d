// Launches that are timed in turn, round after round, so that a drift of the card reaches all of
// them alike. Warm: back to back with what ran before. Cold: each launch finds the L2 cache full of
// somebody else's unwritten bytes. Private to the bench.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "lab/rig.h"

namespace lanewise {

// What runs in turn with others: a stage, or a copy.
struct Racer {
    std::function<void()> launch;
    int launches = 1;  // per warm sample
    GpuGraph graph;    // of so many launches, where it is more than one
    GpuEvent start, stop;
    std::vector<double> us, cold_us;  // per launch, one entry per round
};
Racer make_racer(Gpu& gpu, std::function<void()> launch);

// Fits launches per sample to the time of one launch as its rounds so far have it, and records the
// graph.
void fit_launches(Gpu& gpu, Racer& racer);

// When rounds have been enough. A round in which the card was slowed down does not count, unless
// that never ends.
struct RoundLimits {
    int fewest = 0, most = 0;  // rounds
    double precision = 0;      // of every racer's median, see relative_error_of_median
    double seconds = 0;        // then it ends, however many rounds there are
};

struct Rounds {
    std::vector<double> sm_clocks_mhz;
    std::string slowed_down_by;  // of the rounds left out
    int left_out = 0;            // rounds during which the card was slowed down
    bool all_slow = false;       // so many that they were taken after all
};

// Clears the racers' warm samples, then takes new ones. progress: after each round that counts.
Rounds run_rounds(Rig& rig, std::span<Racer* const> racers, const RoundLimits& limits,
                  const std::function<void(int done)>& progress);
// The same for a few rounds that nobody looks at or that only choose.
void run_quietly(Rig& rig, std::span<Racer* const> racers, int rounds, double limit_s);
// Takes cold samples, one launch each. At least one round, even where that takes longer.
void run_cold_rounds(Rig& rig, std::span<Racer* const> racers, int rounds, double limit_s);

}  // namespace lanewise
