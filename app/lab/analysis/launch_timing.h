// The model of time (model/launch_time.h) of a job's launch: some blocks are interpreted for it.
#pragma once
#include <memory>

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
    double seconds = 0;
};

// Of a stage, or of a kernel of the user's own. Throws as analyse() does, and Cancelled.
RecordedLaunch record_launch(const Job& job, const CancelFlag* cancel = nullptr);

LaunchTime time_of(const RecordedLaunch& launch, const WhatIf& what = {});

// How far the model has been off on this card: assets/devices/ranges, written by
// `bench --predict --set making --ranges FILE`. Empty where nobody compared.
ModelRanges ranges_in_use();
std::string ranges_json(const ModelRanges& ranges, const std::string& card);

// One reason why a launch takes as long as it does.
struct TimeCause {
    std::string name;
    double us = 0;        // that the launch would take less without it, all else as it is
    int line = 0;         // of the source, where it is worst; 0: of no line
    std::string fix;      // what helps; "" where that is not known
};
struct TimeCauses {
    LaunchTime time;
    std::vector<TimeCause> causes;  // the most expensive first; those of less than 1 % left out
    double without_us = 0;          // without all of them at once
};
TimeCauses causes_of(const RecordedLaunch& launch);

}  // namespace lanewise
