// Sums on the hardware, beside the best copy of the same matrix; and what a sum is given and must
// be, here and on the machine alike.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "gpu/cupti_counters.h"
#include "lab/job/measurement.h"
#include "lab/job/results.h"

namespace lanewise {

// Whether the stage leaves its sum in one place ("sum"), which is zero before the launch; else
// ("block_sums") each block leaves one, and these are added here.
bool leaves_one_sum(const Stage& stage);
int64_t sums_left(const Job& job);  // how many floats that are

// The input, odd whole numbers (lab/machine/odd_numbers.h). Returns their sum. Throws Cancelled.
int64_t fill_with_odd_numbers(std::span<std::byte> in, const std::string& type, int threads,
                              const CancelFlag* cancel);
// Makes what is left wrong before the launch, or zero where the kernel adds to it.
void prepare_sums(std::span<std::byte> out, const Stage& stage);
// What was left against the sum: equal, or one mismatch. Without a bound: see odd_numbers.h.
Mismatch judge_sums(std::span<const std::byte> out, int64_t sum);

// As measure_together() and count_stage_launch().
std::vector<Measurement> measure_reductions(std::vector<Job> jobs, const MeasureOptions& options,
                                            const Progress& progress, const CancelFlag* cancel);
CounterReading count_reduction_launch(const Job& job, double time_limit_s,
                                      const CancelFlag* cancel);

}  // namespace lanewise
