// Timing stages beside the best copy of the same matrix: what transposes and reductions have in
// common, whose speed is counted in bytes. bench.h is where the rest of the program comes in.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "compile/compiler.h"
#include "gpu/cupti_counters.h"
#include "lab/job/measurement.h"
#include "lab/measure/rig.h"

namespace lanewise {

struct MismatchMap;  // lab/mismatch/mismatch_map.h

// One job, compiled and loaded: how it is launched, and how its result is judged.
class CopyRunner {
  public:
    virtual ~CopyRunner() = default;
    virtual void launch(Rig& rig) const = 0;
    // Puts memory into the state that a launch wants, `launch`es, and says what is wrong then.
    // Waits at most limit_s.
    virtual Mismatch check(Rig& rig, const std::function<void()>& launch, double limit_s) = 0;
    // Gives the rig's input back what the checks of others may have put there.
    virtual void fill(Rig&) {}
    virtual double useful_bytes(const Rig& rig) const = 0;

    Job job;
    Program program;                         // of a library's call only who compiled it
    Mismatch before, after;                  // of the checks around the timing
    std::shared_ptr<const MismatchMap> map;  // of the first that was wrong
};
using MakeRunner = std::function<std::unique_ptr<CopyRunner>(Job job, Rig& rig)>;

// As measure_together(), of validated jobs of one shape and element size.
std::vector<Measurement> measure_beside_copy(std::vector<Job> jobs, const MakeRunner& make,
                                             const MeasureOptions& options,
                                             const Progress& progress, const CancelFlag* cancel);

// As count_stage_launch().
CounterReading count_beside_copy(const Job& job, const MakeRunner& make, double time_limit_s,
                                 const CancelFlag* cancel);

// A stage's program for the rig's card, loaded, with its launch. Throws Error(bad_input) where
// this card cannot run it.
struct LoadedStage {
    Program program;
    GpuModule kernel;
    LaunchShape shape;
};
LoadedStage load_stage(const Job& job, Rig& rig);

}  // namespace lanewise
