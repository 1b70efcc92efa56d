// What a learner hands in for a stage: a .cu file, or a workspace of the window (.lanewise), which
// holds versions of stages and one setting.
#pragma once
#include <filesystem>

#include "lab/job/job.h"

namespace lanewise {

// The source in `file` as a version of `original`, with the knobs and the type that a workspace
// has chosen for that stage, else the source's own defaults. A .cu begins with a head, as a stage's.
// Throws Error(bad_input) where the file cannot be read, is neither of the two, or is of another
// stage.
Job submission_from(const std::filesystem::path& file, const Stage& original);

}  // namespace lanewise
