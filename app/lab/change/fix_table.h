// What try_fixes() found, as it is listed: without the jobs, so that it can travel.
#pragma once
#include <string>
#include <vector>

#include "lab/job/job.h"

namespace lanewise {

struct FixTrial;  // lab/change/fixes.h

// What gains less than this share of the time is not worth a change.
inline constexpr double kWorthAChange = 0.01;

struct TableFix {
    std::string title;    // "PAD = 1"
    std::string problem;  // why it is no choice, as a clause; "": it is one
    double time_us = 0, low_us = 0, high_us = 0;  // by the model; 0: it does not hold, or a problem
    bool faster = false;                          // by what is worth a change
    KnobValues knobs;                             // with it
    std::string diff;    // of the source, as diff_of() has it; "": the source stays
    std::string source;  // with it; "" likewise
    bool operator==(const TableFix&) const = default;
};

struct FixTable {
    double before_us = 0;  // 0: the launch's own time is not modelled, and nothing was tried
    std::string sentence;  // why not
    std::string card;      // that the model is for
    std::vector<TableFix> fixes;  // the fastest first; then those with a problem
    bool operator==(const FixTable&) const = default;
};

FixTable fix_table(const Job& before, const FixTrial& trial);

}  // namespace lanewise
