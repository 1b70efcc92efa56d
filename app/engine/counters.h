// run --counters: what the hardware counted of the launch, beside what the machine counts.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "engine/where.h"
#include "lab/measure/hardware_counts.h"

namespace lanewise {

struct CountedRun {
    CounterReading reading;  // of which `problem` says why there is nothing
    std::vector<CountComparison> rows;
};

// Counts a launch where kernels run, and interprets it for `arch`. Whatever goes wrong with the
// counters is the reading's problem: what was measured before stays.
CountedRun count_run(const WhereOptions& where, Job job, const std::string& arch,
                     const LaunchFacts& facts);

// {problem, passes, rows: [{name, unit, machine, hardware, verdict, words}], values, unknown}
nlohmann::json counted_json(const CountedRun& counted);

}  // namespace lanewise
