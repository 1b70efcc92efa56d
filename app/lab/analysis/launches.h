// Several launches in one memory, as a host program makes them one after the other: what the machine
// says of each, and of all together.
#pragma once
#include <vector>

#include "lab/analysis/analysis.h"

namespace lanewise {

// Those of job.own.before in their order, then the job's own; as analyse() of each, without modelled
// time. `look` is shown the memory as the last has left it. Throws as analyse() does; what is wrong
// with one launch of several is said with its place: "launch 2 of 3: …".
std::vector<Analysis> analyse_launches(const Job& job, int threads = 0,
                                       const CancelFlag* cancel = nullptr,
                                       const LookAtMemory& look = {});

// The job of one of them, counted from 0, as though it stood alone.
Job launch_of(const Job& job, size_t index);

// All as one: their counts, lines and findings; registers and occupancy are the last's.
Analysis in_all(const std::vector<Analysis>& launches);

}  // namespace lanewise
