// What the hardware counted of one launch, beside what the machine counts of the same one, with the
// difference explained. Which counters can be equalled exactly, and which not: trace/count/rules.h.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gpu/cupti_counters.h"
#include "lab/job/job.h"
#include "trace/report.h"

namespace lanewise {

// The counters to ask for, with their rollup.
std::vector<std::string> counter_metrics();

// One launch of the job's kernel, of a stage or of the user's own, counted as often as that takes
// passes: each with fresh buffers and an L2 cache full of other bytes that memory holds already.
// Throws as measure() does; that the counters cannot be read is no error but the reading's problem.
CounterReading count_launch(const Job& job, double time_limit_s = 5,
                            const CancelFlag* cancel = nullptr);

struct CountComparison {
    std::string name;  // "global load sectors"; as figure/drawing/figures.h's CountRow where it has one
    std::string unit;  // "", "bytes" or "us"
    bool has_machine = false;
    uint64_t machine = 0;  // what the machine counts, or what must at least be moved
    double hardware = 0;
    // explained: it cannot be equal, and `words` say why. differs: it should be, and is not.
    enum class Verdict { equal, explained, differs, hardware_only } verdict = Verdict::equal;
    std::string words;
};

// What there is to compare with beyond the counts; 0 where unknown.
struct LaunchFacts {
    uint64_t input_bytes = 0, output_bytes = 0;  // of the matrices
    double cold_time_us = 0;                     // as measured by events
};
// Of a stage's launch, each byte once; nothing of a kernel of the user's own.
LaunchFacts launch_facts(const Job& job, double cold_time_us);

// Rows of which both sides are zero are left out, as are counters that the card has not.
std::vector<CountComparison> compare_counts(const Counts& machine, const CounterReading& hardware,
                                            const LaunchFacts& facts);

// A table for the terminal, or the reading's problem in words.
std::string counts_text(const std::vector<CountComparison>& rows, const CounterReading& hardware);

void to_json(nlohmann::json&, const CounterReading&);
void from_json(const nlohmann::json&, CounterReading&);
void to_json(nlohmann::json&, const CountComparison&);

}  // namespace lanewise
