// What an analysis and a measurement prove, in a word or two each, with the proof: the badges below
// the result.
#pragma once
#include <string>
#include <vector>

#include "lab/job/measurement.h"
#include "lab/job/results.h"

namespace lanewise::ui {

struct Verdict {
    // unknown: nothing to compare with, so that neither of the others can be said.
    enum class Kind { good, bad, unknown } kind = Kind::unknown;
    std::string word, why;
    // What it rests on, row by row.
    struct Row {
        std::string text;
        int line = 0;  // of the source, where the row is about one; else 0
    };
    std::vector<Row> proof = {};
};

// Whether the result is right, whether global accesses are coalesced and, where there are any,
// whether shared ones are free of conflicts; in this order.
std::vector<Verdict> verdicts(const Analysis& analysis);

// The first of them where only some blocks were interpreted, and nothing else is said then.
inline constexpr const char* kRightInSample = "right in a sample";

// The badge of a run whose result was wrong; one that was right has none.
inline constexpr const char* kWrongOnGpu = "wrong on the GPU";

// Whether the run's result was wrong; whether the speed is one that the memory can have (below
// peak), whether it is the memory's at all and not the cache's (out of L2), and whether it differs
// from that of `before`, the stage before on the ladder (distinguishable; left out where before is
// null or of another run); in this order.
std::vector<Verdict> verdicts_on_time(const Measurement& measurement, const Measurement* before);

}  // namespace lanewise::ui
