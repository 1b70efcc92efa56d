// Timing: what is compared runs in turn, round after round, between events, and the GPU waits until
// a whole round is in its stream, so that no time contains the CPU's launching. Warm: back to back
// with what ran before. Cold: each launch finds the L2 cache full of somebody else's unwritten
// bytes.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "gpu/device.h"
#include "lab/job/measurement.h"
#include "lab/measure/rig.h"

namespace lanewise {

inline constexpr int kFewestSamples = 30;
inline constexpr int kEstimateRounds = 5;  // before fit_launches()

// What runs in turn with others: a stage, or a copy.
struct Racer {
    std::function<void()> launch;
    int launches = 1;  // per warm sample
    bool short_launches = false;
    GpuGraph graph;  // of so many launches, where they are short
    GpuEvent start, stop;
    std::vector<double> us, cold_us;  // per launch, one entry per round
};

struct RoundsTaken {
    std::vector<double> sm_clocks_mhz;
    std::string slowed_down_by;  // of the rounds left out
    int taken = 0;               // samples of each racer
    int left_out = 0;            // rounds during which the card was slowed down
    int cold_taken = 0, cold_left_out = 0;
    bool all_slow = false;  // so many that they were taken after all
};

Racer make_racer(Gpu& gpu, std::function<void()> launch);

// Times are left in the racers. All but run_rounds() keep no note of the card's state.
void run_quietly(Rig& rig, std::span<Racer* const> racers, int rounds, double limit_s);
void warm_up(Rig& rig, std::span<Racer* const> racers, double limit_s);

// Fits launches per sample to the time of one launch as just estimated: a launch too short to time
// is repeated. Records the graph of launches that are shorter than the CPU takes to ask for them.
void fit_launches(Gpu& gpu, Racer& racer);

// When rounds have been enough. A round in which the card was slowed down does not count, unless
// that never ends.
struct RoundLimits {
    int fewest = 0, most = 0;  // rounds
    double precision = 0;      // of every racer's median, see relative_error_of_median
    double seconds = 0;        // then it ends, however many rounds there are
};
RoundLimits round_limits(const MeasureOptions& options, double seconds);

// Clears the racers' warm samples, then takes new ones. progress: after each round that counts.
RoundsTaken run_rounds(Rig& rig, std::span<Racer* const> racers, const RoundLimits& limits,
                       const std::function<void(int done)>& progress);
// Takes cold samples, one launch each, and adds what happened to `rounds`. At least one round, even
// where that takes longer.
void run_cold_rounds(Rig& rig, std::span<Racer* const> racers, double limit_s, RoundsTaken& rounds);

// What the user should know of how they were taken; none where all is well.
std::vector<std::string> sentences_on(const RoundsTaken& rounds);

Provenance provenance_of(const Program& program, const std::string& source,
                         const GpuDescription& gpu, const RoundsTaken& rounds);

}  // namespace lanewise
