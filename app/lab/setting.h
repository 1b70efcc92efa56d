// The setting of a job, as every result of it repeats it.
#pragma once
#include "lab/analysis.h"

namespace lanewise {

// Of an Analysis, a Picture or a Measurement; K is theirs to say.
template <typename Result>
void take_setting(Result& result, const Job& job) {
    result.stage = job.stage.id;
    result.knobs = job.knobs;
    result.type = job.type;
    result.rows = job.rows;
    result.cols = job.cols;
    result.batch = job.batch;
}

}  // namespace lanewise
