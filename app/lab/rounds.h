// Timing: what is compared runs in turn, round after round, between events, and the GPU waits until
// a whole round is in its stream, so that no time contains the CPU's launching.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "gpu/device.h"
#include "lab/measurement.h"
#include "lab/rig.h"

namespace lanewise {

inline constexpr int kFewestSamples = 30;
inline constexpr int kEstimateRounds = 5;  // before fit_launches()

// What runs in turn with others: a stage, or a copy.
struct Racer {
    std::function<void()> launch;
    int launches = 1;  // per sample
    GpuGraph graph;    // of so many launches, where it is more than one
    GpuEvent start, stop;
    std::vector<double> us;  // per launch, one entry per round
};

struct Rounds {
    std::vector<double> sm_clocks_mhz;
    std::string slowed_down_by;  // of the rounds left out
    int taken = 0;               // samples of each racer
    int left_out = 0;            // rounds during which the card was slowed down
    bool all_slow = false;       // so many that they were taken after all
};

Racer make_racer(Gpu& gpu, std::function<void()> launch);

// Times are left in the racers. All but run_rounds() keep no note of the card's state.
void run_quietly(Rig& rig, std::span<Racer* const> racers, int rounds, double limit_s);
void warm_up(Rig& rig, std::span<Racer* const> racers, double limit_s);

// Fits launches per sample to the time of one launch as just estimated, and records the graph: a
// launch too short to time is repeated.
void fit_launches(Gpu& gpu, Racer& racer);

// Runs rounds until every racer has `samples` of them or limit_s has passed. Rounds in which the
// card was slowed down are left out, unless that never ends.
Rounds run_rounds(Rig& rig, std::span<Racer* const> racers, int samples, double limit_s,
                  const std::function<void(int done)>& progress);

// What the user should know of how they were taken; none where all is well.
std::vector<std::string> sentences_on(const Rounds& rounds);

Provenance provenance_of(const Program& program, const std::string& source,
                         const GpuDescription& gpu, const Rounds& rounds);

}  // namespace lanewise
