// How long a launch takes, from what a few of its blocks do (launch_record.h) on one
// multiprocessor (simulation.h): the multiprocessor with most blocks, and its share of the card.
//
// Launches behind each other find in L2 what the one before has left there: as much as L2 keeps
// (DeviceProfile), which is why the record alone does not say what comes from DRAM.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/correction.h"
#include "model/occupancy.h"
#include "model/simulation.h"

namespace lanewise {

struct LaunchTime {
    double time_us = 0, low_us = 0, high_us = 0;  // 0 where it does not hold
    double simulated_us = 0;  // time_us before the correction
    PartLoads loads{};
    bool holds = false;
    std::string sentence;    // why it does not hold, or what the range comes from
    std::string limited_by;  // "DRAM", "L2", "load/store unit", "issue", "barriers", "latency", …
    double l1_hit = 0, l2_hit = 0;  // shares of the sectors of loads; L2's of a launch that finds
                                    // nothing there
    double dram_read_bytes = 0;     // likewise
    double l2_missed = 0;           // sectors that loads do not find in L2, likewise
    double instructions = 0;        // machine instructions of all warps
    double load_store_turns = 0;    // of the load/store units of all multiprocessors
    SimulatedTime simulated;
};

// What measured launches took, over what the model says: of those that one part of the machine
// limits, and of all. The ratios are of the corrected times.
struct ModelRange {
    double low = 1, high = 1;
    int launches = 0;
    std::string unseen_on;  // the card, where they are launches that the model had not seen; else ""
};
struct ModelRanges {
    std::map<std::string, ModelRange> by_limit;
    ModelRange in_all;
    Correction correction;
};
// Where nine of ten others are expected: the ratios' order statistics, without any shape of theirs; and
// always 1 itself. Of fewer than kEnoughForARange even the outermost two hold less.
ModelRange range_of(std::vector<double> ratios);
inline constexpr size_t kEnoughForARange = 19;  // launches of one limit

// Where L2 is in two halves, each keeps what its own multiprocessors read, so that what all of them read is there
// twice (cards of data centres from the A100 on).
RecordLimits record_limits(const DeviceProfile& device, const TimingCosts& timing);
// Of `blocks` that are alike, how many the multiprocessor gets that gets most, since those that are left when all are full go
// to whoever has room first. ends: of one that gets blocks as long as some are left, rising and not empty; l2_load: how busy
// it keeps its share of L2, by which multiprocessors differ in their times.
uint64_t most_on_one(std::span<const double> ends, const SimulatedLaunch& launch, double blocks, double sms, double l2_load);
LaunchTime time_of(const DeviceProfile& device, const TimingCosts& timing, const TimedCode& code, const LaunchRecord& record,
                   const Occupancy& occupancy, const ModelRanges& ranges = {},
                   const WhatIf& what = {});

}  // namespace lanewise
