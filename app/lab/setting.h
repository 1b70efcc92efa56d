// The setting of a job, as every result of it repeats it.
#pragma once
#include "course/operation.h"
#include "lab/analysis.h"

namespace lanewise {

// Of an Analysis, a Picture or a Measurement.
template <typename Result>
void take_setting(Result& result, const Job& job) {
    result.stage = job.stage.id;
    result.knobs = job.knobs;
    result.type = job.type;
    result.rows = job.rows;
    result.cols = job.cols;
    result.batch = job.batch;
    result.inner = inner_for(job.stage, job.inner);
}

}  // namespace lanewise
