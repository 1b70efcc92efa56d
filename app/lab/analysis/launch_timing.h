// The model of time (model/launch_time.h) of a job's launch: some blocks are interpreted for it.
#pragma once
#include <memory>

#include "lab/analysis/cause_table.h"
#include "lab/job/job.h"
#include "lab/machine/prepared.h"
#include "model/launch_time.h"

namespace lanewise {

// What was recorded of a launch, to be modelled once or several times.
struct RecordedLaunch {
    std::shared_ptr<const PreparedKernel> prepared;
    TimedCode code;
    LaunchRecord record;
    Occupancy occupancy;
    std::string problem;  // why there is no record; a whole sentence
    bool is_calibrated = true;  // whether the card's operations were measured; else `problem` says so
    double seconds = 0;
};

// Of a stage, or of a kernel of the user's own. Throws as analyse() does, and Cancelled.
RecordedLaunch record_launch(const Job& job, const CancelFlag* cancel = nullptr);

LaunchTime time_of(const RecordedLaunch& launch, const WhatIf& what = {});

// How far the model has been off on this card: assets/devices/ranges, written by
// `bench --predict --set making --ranges FILE`. Empty where nobody compared. Without machine code, as where clang
// compiled, it is much farther off; those ranges are another file's, which `--compiler clang` writes.
const ModelRanges& ranges_in_use(bool has_machine_code);
std::string ranges_json(const ModelRanges& ranges, const std::string& card, bool has_machine_code);

// The model is solved once more without each cause. Throws Cancelled.
CauseTable causes_of(const RecordedLaunch& launch, const CancelFlag* cancel = nullptr);

// What the loads of each line find in the caches, by `time` of the same launch.
std::vector<LineHits> hits_by_line(const RecordedLaunch& launch, const LaunchTime& time);
// Where the warps' time passes, by `time` of the same launch.
std::vector<LineShare> shares_by_line(const RecordedLaunch& launch, const LaunchTime& time);

}  // namespace lanewise
