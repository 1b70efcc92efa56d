// What is timed together: which stages at which sizes, in groups that share their rounds, and what
// is left out. How, is the matter of transpose_bench.h and product_bench.h.
#include "lab/measure/bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"
#include "lab/measure/product_bench.h"
#include "lab/measure/transpose_bench.h"
#include "lab/product/product.h"

namespace lanewise {

static constexpr size_t kSweepGroup = 16;  // jobs that are timed in the same rounds

std::vector<Measurement> measure_together(std::vector<Job> jobs, const MeasureOptions& options,
                                          const Progress& progress, const CancelFlag* cancel) {
    if (jobs.empty()) return {};
    for (Job& job : jobs) validate(job);
    auto multiplies = [](const Job& job) { return is_product(job.stage); };
    auto measure_all =
        std::any_of(jobs.begin(), jobs.end(), multiplies) ? measure_products : measure_transposes;
    return measure_all(std::move(jobs), options, progress, cancel);
}

CounterReading count_stage_launch(const Job& given, double time_limit_s, const CancelFlag* cancel) {
    Job job = given;
    validate(job);
    auto count = is_product(job.stage) ? count_product_launch : count_transpose_launch;
    return count(job, time_limit_s, cancel);
}

// K of a product of this size; kNoInner where nobody can know.
static int64_t inner_of(const MatrixSize& size) {
    return size.inner == kNoInner && size.rows == size.cols ? size.rows : size.inner;
}

// Why nothing compiles it for this card; "" where something does.
static std::string lacks_compiler(const Stage& stage, const std::string& type) {
    if (is_library_call(stage) || !gpu_status().found) return "";
    std::string why = cannot_interpret(stage, type, gpu_status().gpu.arch);
    return why.empty() ? "" : stage.id + ": " + why;
}

std::string left_out(const Stage& stage, const MatrixSize& size, const std::string& type) {
    if (is_product(stage) && inner_of(size) == kNoInner)
        return stage.id + " needs three numbers, MxNxK, where the first two differ";
    if (!is_product(stage) && size.inner != kNoInner)
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
        if (is_product(stage)) {
            job.inner = inner_of(size);
            job.input = plan.input;
        }
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
    if (is_product(a.stage) != is_product(b.stage)) return false;
    if (is_product(a.stage) && product_of(a).input != product_of(b).input) return false;
    return element_bytes(a.type) == element_bytes(b.type);
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
