// Results as text for a terminal.
#pragma once
#include <string>
#include <vector>

#include "lab/analysis/cause_table.h"
#include "lab/job/measurement.h"
#include "lab/measure/own_run.h"

namespace lanewise {

// ", between 1.20 and 1.60" microseconds; nothing where nothing was ever compared with the card.
std::string range_words(const CauseTable& table);

// Counts per source line with ideal and verdict, totals, the check of the result, the model's
// figure, and findings with a caret under the spot.
// `causes`: of the model of launches, whose time then stands in place of the bandwidth model's.
void print_analysis(const Job& job, const Analysis& analysis, const CauseTable* causes = nullptr);

// Several launches in one memory: print_analysis() of each below a line that says which, then the
// counts of all.
void print_launches(const Job& job, const std::vector<Analysis>& launches);

// One row per measurement: GB/s, % of the copy measured in the same run, % of the datasheet, in
// that order; medians with the 5th and 95th percentile.
void print_measurements(const std::vector<Measurement>& measurements);

// The same of products: microseconds, GFLOP/s, % of cuBLAS in the same run, % of the datasheet of
// the unit that multiplies, and the error. print_measurements() calls it for them.
void print_products(const std::vector<Measurement>& products);

// Of a wrong one, what is evident of where it is wrong; nothing where that is not known.
void print_pattern(const Measurement& measurement);

// Buffer by buffer whether the card and the machine agree, then the time of a launch.
void print_own_run(const OwnMeasurement& measurement);

// "TILE=32 ROWS=8 PAD=1"
std::string knobs_text(const KnobValues& knobs);

}  // namespace lanewise
