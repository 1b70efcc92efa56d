// What is timed together: which stages at which sizes, in groups that share their rounds, and what
// is left out. How, is the matter of each operation (job/operation_code.h).
#include "lab/measure/bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/device.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"
#include "lab/job/operation_code.h"

namespace lanewise {

static constexpr size_t kSweepGroup = 16;  // jobs that are timed in the same rounds

std::vector<Measurement> measure_together(std::vector<Job> jobs, const MeasureOptions& options,
                                          const Progress& progress, const CancelFlag* cancel) {
    if (jobs.empty()) return {};
    for (Job& job : jobs) validate(job);
    const OperationCode& code = code_of(jobs.front().stage);
    for (const Job& job : jobs)
        if (&code_of(job.stage) != &code)
            throw Error(Status::bad_input,
                        "only stages of one course can be measured together, and " + job.stage.id +
                            " is of another than " + jobs.front().stage.id);
    return code.measure(std::move(jobs), options, progress, cancel);
}

CounterReading count_stage_launch(const Job& given, double time_limit_s, const CancelFlag* cancel) {
    Job job = given;
    validate(job);
    return code_of(job.stage).count(job, time_limit_s, cancel);
}

int64_t inner_of(const MatrixSize& size) {
    return size.inner == kNoInner && size.rows == size.cols ? size.rows : size.inner;
}

// Why nothing compiles it for this card; "" where something does.
static std::string lacks_compiler(const Stage& stage, const std::string& type) {
    if (is_library_call(stage) || !gpu_status().found) return "";
    std::string why = cannot_interpret(stage, type, gpu_status().gpu.arch);
    return why.empty() ? "" : stage.id + ": " + why;
}

std::string left_out(const Stage& stage, const MatrixSize& size, const std::string& type) {
    bool has_inner = operation_of(stage).has_inner();
    if (has_inner && inner_of(size) == kNoInner)
        return stage.id + " needs three numbers, MxNxK, where the first two differ";
    if (!has_inner && size.inner != kNoInner)
        return stage.id + " has two sides, and a size of three is for products";
    if (is_in_place(stage) && size.rows != size.cols) return stage.id + " needs a square matrix";
    if (size.batch > 1 && !takes_batch(stage)) return stage.id + ": " + why_no_batch(stage);
    const std::vector<std::string>& types = stage.types;
    if (!type.empty() && std::find(types.begin(), types.end(), type) == types.end())
        return stage.id + " has no element type " + type;
    if (std::string why = cannot_launch(stage); !why.empty()) return why;
    return lacks_compiler(stage, type.empty() && !types.empty() ? types.front() : type);
}

std::vector<Job> bench_jobs(const std::vector<Stage>& stages, const MatrixSize& size,
                            const BenchPlan& plan) {
    std::vector<Job> jobs;
    for (const Stage& stage : stages) {
        if (stages.size() > 1 && !left_out(stage, size, plan.type).empty()) continue;
        Job job;
        job.stage = stage;
        if (!stage.types.empty()) job.type = plan.type.empty() ? stage.types.front() : plan.type;
        job.rows = size.rows;
        job.cols = size.cols;
        job.batch = size.batch;
        if (operation_of(stage).has_inner()) job.inner = inner_of(size);
        if (operation_of(stage).computes) job.input = plan.input;
        if (!plan.sweep) jobs.push_back(job);
        if (!plan.sweep) continue;
        for (const KnobValues& knobs : knob_combinations(stage, job.type)) {
            job.knobs = knobs;
            jobs.push_back(job);
        }
    }
    return jobs;
}

// Whether two jobs of one size can be timed in the same rounds.
static bool are_comparable(const Job& a, const Job& b) {
    const OperationCode& code = code_of(a.stage);
    return &code == &code_of(b.stage) && code.are_comparable(a, b);
}

std::vector<Measurement> bench(const std::vector<Stage>& stages,
                               const std::vector<MatrixSize>& sizes, const BenchPlan& plan,
                               const MeasureOptions& options, const Progress& progress,
                               const CancelFlag* cancel) {
    std::vector<std::vector<Job>> groups;
    for (const MatrixSize& size : sizes) {
        size_t first = groups.size();
        for (Job& job : bench_jobs(stages, size, plan)) {
            auto fits = [&](const std::vector<Job>& group) {
                return are_comparable(group.front(), job) &&
                       (!plan.sweep || group.size() < kSweepGroup);
            };
            auto group =
                std::find_if(groups.begin() + static_cast<ptrdiff_t>(first), groups.end(), fits);
            if (group == groups.end()) group = groups.insert(groups.end(), std::vector<Job>());
            group->push_back(std::move(job));
        }
    }
    std::vector<Measurement> results;
    for (size_t i = 0; i < groups.size(); ++i) {
        auto of_this_group = [&](double fraction, const std::string& what) {
            const Job& job = groups[i].front();
            if (progress)
                progress((static_cast<double>(i) + fraction) / static_cast<double>(groups.size()),
                         fmt::format("{} x {}: {}", job.rows, job.cols, what));
        };
        for (Measurement& m : measure_together(groups[i], options, of_this_group, cancel))
            results.push_back(std::move(m));
    }
    return results;
}

}  // namespace lanewise
