// The index expression of one lane of a traced access (index_expression.h), with what a job knows
// of its names: knobs, element size, rows, cols, batch.
#pragma once
#include <optional>

#include "lab/job/job.h"
#include "lab/job/results.h"
#include "lab/kernel/index_expression.h"

namespace lanewise {

// access: index into picture.block.accesses. Nothing for an inactive lane, and where the source
// cannot be followed. Of a kernel of the user's own the names are what source_names.h finds.
std::optional<IndexAnswer> index_of_lane(const Job& job, const Picture& picture, int access,
                                         int lane);

}  // namespace lanewise
