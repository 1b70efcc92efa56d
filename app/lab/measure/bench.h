// The whole ladder on the hardware: all stages of one size timed in turn, round after round, with
// the best copy in every round, so that a drift of the card reaches all of them alike.
#pragma once
#include <cstdint>
#include <vector>

#include "gpu/cupti_counters.h"
#include "lab/job/measurement.h"

namespace lanewise {

// K of a product of this size, which is a square's side where it is not said; kNoInner where nobody
// can know.
int64_t inner_of(const MatrixSize& size);

// What bench() varies beside stages and sizes.
struct BenchPlan {
    std::string type;              // for every stage; "" takes each stage's first
    bool sweep = false;            // every combination of knobs instead of the defaults
    std::string input = "random";  // of products (lab/product/product.h)
};

// Why bench() passes over a stage that is one of several: the shape (a batch that it does not take, an
// inner side that it does not have), the type, or what this machine lacks, in one sentence; "" where it
// does not. A stage that is asked for alone throws instead.
std::string left_out(const Stage& stage, const MatrixSize& size, const std::string& type);
// What is timed at one size: each stage at its defaults, or every combination of its knobs. Stages
// that turn a square matrix in place are left out where the size is none, and so are products where
// it does not say K.
std::vector<Job> bench_jobs(const std::vector<Stage>& stages, const MatrixSize& size,
                            const BenchPlan& plan);

// The result holds, size by size, one measurement per stage and combination;
// options.time_limit_s is per measurement. A sweep is timed in groups, each with the copy in its
// rounds. Throws as measure() does.
std::vector<Measurement> bench(const std::vector<Stage>& stages,
                               const std::vector<MatrixSize>& sizes, const BenchPlan& plan = {},
                               const MeasureOptions& options = {}, const Progress& progress = {},
                               const CancelFlag* cancel = nullptr);

// The same for jobs that share rows, cols, batch and bytes per element, or are products of one
// shape, type and input (Error(bad_input) where they do not); measure() is the case of one job.
std::vector<Measurement> measure_together(std::vector<Job> jobs, const MeasureOptions& options = {},
                                          const Progress& progress = {},
                                          const CancelFlag* cancel = nullptr);

// One launch of a stage, counted by the hardware; see count_launch (lab/measure/hardware_counts.h).
CounterReading count_stage_launch(const Job& job, double time_limit_s, const CancelFlag* cancel);

}  // namespace lanewise
