// What a launch loses, dearest first: each loss with the line that causes it, what it adds by the
// model, the time without it, and what to do. By the model of launches (launch_timing.h), or, where
// that is not calibrated for a card, by the bandwidth model. And how the bandwidth model's time
// spreads over source lines.
#pragma once
#include <vector>

#include "figure/chart/issues_figure.h"
#include "lab/analysis/cause_table.h"
#include "lab/job/results.h"
#include "model/device_profile.h"
#include "model/traffic.h"

namespace lanewise {

// What the model is asked again and again: the launch of `analysis`. Without `traffic` (a product's
// is not kept) only what the model names by itself is an issue.
struct IssueSource {
    const Report* report = nullptr;
    const BandwidthPrediction* prediction = nullptr;
    const Occupancy* occupancy = nullptr;
    const DeviceProfile* device = nullptr;
    const Traffic* traffic = nullptr;
    uint64_t useful_bytes = 0;
};
// An access that costs more than an ideal one is an issue of its line: the model is solved once more
// with what the ideal one would cost. All others are steps of the model's waterfall that a kernel
// can avoid. Those below a hundredth of the time are left out.
std::vector<Issue> issues_of(const IssueSource& source);

// The same of the model of launches. `report`, of the same launch, says more of what stands in a line.
std::vector<Issue> issues_of(const CauseTable& table, const Report& report);

// As they are drawn. No width. `why_this_model`: what stands in the way of the model of launches, a
// sentence.
IssuesFigureInput issues_figure_of(const Analysis& analysis, const std::string& why_this_model);
IssuesFigureInput issues_figure_of(const CauseTable& table, const Report& report);

// The modelled time by source line: each step of the waterfall is dealt out to the lines by what
// they ask of it. What belongs to no line (launching, barriers, instructions) is left out. In line
// order.
struct LineTime {
    int line = 0;
    double us = 0;
    bool operator==(const LineTime&) const = default;
};
std::vector<LineTime> time_by_line(const Report& report, const BandwidthPrediction& prediction);

}  // namespace lanewise
