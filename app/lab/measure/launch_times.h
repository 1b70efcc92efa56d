// How long a launch of a kernel from outside the catalogue takes, and what the hardware counts of it.
// Nothing is compared: what the launch computes is held by the machine's findings and by own_run.h.
#pragma once
#include <string>
#include <vector>

#include "gpu/cupti_counters.h"
#include "lab/job/measurement.h"

namespace lanewise {

struct LaunchTimes {
    // Microseconds per launch, as Measurement's: back to back with itself, and with an L2 cache full
    // of somebody else's unwritten bytes.
    std::vector<double> samples_us, cold_samples_us;
    int launches_per_sample = 1;
    Spread time_us, cold_time_us;
    std::vector<std::string> notes;
    CounterReading counters;  // of a launch with a cold cache
    Provenance provenance;
};

// What a model of time is compared with, as far as the hardware counts it: caches, DRAM,
// instructions, and what warps wait for.
std::vector<std::string> timing_metrics();

// job.own.is_used(). The kernel works on what its launches before have left. With `counted` the
// counters are read, too. Throws as measure() does.
LaunchTimes time_launch(const Job& job, const MeasureOptions& options, bool counted,
                        const Progress& progress = {}, const CancelFlag* cancel = nullptr);

}  // namespace lanewise
