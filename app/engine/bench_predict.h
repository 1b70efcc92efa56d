// bench --predict: the ladder as the model sees it.
#pragma once
#include <vector>

#include "lab/job/job.h"

namespace lanewise {

// Prints what the model says of each job, for the card in use, beside what was recorded on such a
// card, and the errors beyond the cache in all; with `json` the same as an array of measurements,
// zeros where there is no recording. Throws as predict() does.
void predict_ladder(const std::vector<Job>& jobs, bool json);

}  // namespace lanewise
