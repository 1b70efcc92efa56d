#include "service/jobs.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "compile/compiler.h"
#include "gpu/device.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/launch_timing.h"
#include "lab/analysis/product_sample.h"
#include "lab/change/fixes.h"
#include "lab/change/pad_table.h"
#include "lab/change/swizzle.h"
#include "lab/flow/block_walk.h"
#include "lab/flow/product_pictures.h"
#include "lab/grade/judgement.h"
#include "lab/json/cause_table_json.h"
#include "lab/json/fix_table_json.h"
#include "lab/json/json.h"
#include "lab/json/staircase_json.h"
#include "lab/machine/prepared.h"
#include "lab/measure/bench.h"
#include "lab/measure/hardware_counts.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/record/doctor.h"
#include "service/gpu_json.h"
#include "service/kernel_runs.h"
#include "service/step_sessions.h"

namespace lanewise {

namespace {

Json diagnostics_json(const CompileError& error) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : error.diagnostics())
        list.push_back({{"is_error", diagnostic.is_error},
                        {"file", diagnostic.file},
                        {"line", diagnostic.line},
                        {"column", diagnostic.column},
                        {"text", diagnostic.text}});
    return {{"diagnostics", list}};
}

// params: {job, block}
Json picture(const Json& params, JobContext& context) {
    return trace_block(params.at("job").get<Job>(), params.value("block", uint64_t{0}),
                       &context.cancel);
}

// params: {job}
Json check(const Json& params, JobContext&) {
    check_source(params.at("job").get<Job>());
    return Json::object();
}

// params: {job, block}
Json pads(const Json& params, JobContext& context) {
    return pad_table(params.at("job").get<Job>(), params.value("block", uint64_t{0}),
                     &context.cancel);
}

// params: {job, block, warp, product, reuse}; all but the job may be left out
Json product(const Json& params, JobContext&) {
    ProductPlace place{params.value("block", 0u), params.value("warp", 0u),
                       params.value("product", uint64_t{0})};
    return product_pictures(params.at("job").get<Job>(), place, params.value("reuse", true));
}

// params: {job}
Json mismatch(const Json& params, JobContext& context) {
    return find_mismatches(params.at("job").get<Job>(), 0, &context.cancel);
}

// params: {job, task}
Json judge_source(const Json& params, JobContext& context) {
    auto heard = [&](uint64_t done, uint64_t cases) {
        context.progress(static_cast<double>(done) / static_cast<double>(cases), "judging");
    };
    return judge(params.at("job").get<Job>(), params.at("task").get<GateTask>(), &context.cancel,
                 heard);
}

// params: {job, blocks}
Json walk(const Json& params, JobContext& context) {
    return walk_blocks(params.at("job").get<Job>(), params.at("blocks").get<uint64_t>(),
                       &context.cancel);
}

// params: {job, block, trial}
Json swizzle(const Json& params, JobContext& context) {
    return try_swizzle(params.at("job").get<Job>(), params.value("block", uint64_t{0}),
                       params.at("trial").get<SwizzleTrial>(), &context.cancel);
}

// params: {job, sample}; sample, which may be left out: of a product, only some blocks
Json analyse_job(const Json& params, JobContext& context) {
    Job job = params.at("job").get<Job>();
    uint64_t blocks = 0;
    if (params.value("sample", false)) {
        validate(job);
        blocks = blocks_to_sample(job);
    }
    return analyse(job, 0, &context.cancel, blocks);
}

// params: {job}
Json fixes(const Json& params, JobContext& context) {
    const Job job = params.at("job").get<Job>();
    return fix_table(job, try_fixes(job, &context.cancel, context.progress));
}

// params: {job}
Json causes(const Json& params, JobContext& context) {
    return causes_of(record_launch(params.at("job").get<Job>(), &context.cancel), &context.cancel);
}

Json status(const Json&, JobContext&) { return {{"checks", examine()}}; }

Json ping(const Json&, JobContext&) { return Json::object(); }

Json measure_elsewhere(const Json& params, JobContext& context) {
    return run_in_worker(gpu_worker(), "measure", params, context.progress, &context.cancel);
}

Json measure_own_elsewhere(const Json& params, JobContext& context) {
    return run_in_worker(gpu_worker(), "measure_own", params, context.progress, &context.cancel);
}

Json race_elsewhere(const Json& params, JobContext& context) {
    return run_in_worker(gpu_worker(), "race", params, context.progress, &context.cancel);
}

Json bench_elsewhere(const Json& params, JobContext& context) {
    return run_in_worker(gpu_worker(), "bench", params, context.progress, &context.cancel);
}

Json count_elsewhere(const Json& params, JobContext& context) {
    return run_in_worker(gpu_worker(), "count", params, context.progress, &context.cancel);
}

Json staircase_elsewhere(const Json& params, JobContext& context) {
    return run_in_worker(gpu_worker(), "staircase", params, context.progress, &context.cancel);
}

// ---- In the worker -----------------------------------------------------------------------------

// params.options: {samples, time_limit_s}; it and its fields are optional
MeasureOptions options_of(const Json& params) {
    MeasureOptions options;
    Json given = params.value("options", Json::object());
    options.samples = given.value("samples", options.samples);
    options.time_limit_s = given.value("time_limit_s", options.time_limit_s);
    return options;
}

// Whatever kernels printed must leave before the answer does.
struct Flush {
    ~Flush() { std::fflush(stdout); }
};

// What a kernel's threads keep for themselves (local arrays, stacks) is reserved for as many as the
// card can hold, and stays so with the context: other processes, and larger matrices, would miss
// it.
class MemoryWatch {
  public:
    void note(Json& result) const {
        uint64_t left = Gpu::open().free_bytes();
        if (left + gpu_status().gpu.total_bytes / 16 < before_) result[kHoardsMemory] = true;
    }

  private:
    uint64_t before_ = Gpu::open().free_bytes();
};

// params: {job, options}
Json measure_here(const Json& params, JobContext& context) {
    Flush flush;
    MemoryWatch memory;
    Json result =
        measure(params.at("job").get<Job>(), options_of(params), context.progress, &context.cancel);
    memory.note(result);
    return result;
}

// params: {job, beside: [job], options}: all of them in the same rounds
Json race_here(const Json& params, JobContext& context) {
    Flush flush;
    MemoryWatch memory;
    std::vector<Job> jobs = {params.at("job").get<Job>()};
    for (const Json& job : params.at("beside")) jobs.push_back(job.get<Job>());
    Json result = {{"measurements", measure_together(std::move(jobs), options_of(params),
                                                     context.progress, &context.cancel)}};
    memory.note(result);
    return result;
}

// params: {job, options}; job.own says which kernel
Json measure_own_here(const Json& params, JobContext& context) {
    Flush flush;
    return own_run_json(measure_own(params.at("job").get<Job>(), options_of(params),
                                    context.progress, &context.cancel));
}

// params: {stages, sizes: [[rows, cols]], batch, type, sweep, input, options, one_of_many}; all but
// the first two are optional. A size of products may have K as its third number. Of several stages,
// and of one_of_many, those that cannot be launched here are left out, with the reason.
Json bench_here(const Json& params, JobContext& context) {
    Flush flush;
    std::vector<MatrixSize> sizes;
    for (const Json& size : params.at("sizes"))
        sizes.push_back({size.at(0).get<int64_t>(), size.at(1).get<int64_t>(),
                         size.size() > 2 ? size.at(2).get<int64_t>() : kNoInner,
                         params.value("batch", int64_t{1})});
    auto stages = params.at("stages").get<std::vector<Stage>>();
    BenchPlan plan{params.value("type", ""), params.value("sweep", false),
                   params.value("input", "random")};
    const bool several = stages.size() > 1 || params.value("one_of_many", false);
    if (several && stages.size() == 1 && sizes.size() == 1)
        if (std::string why = left_out(stages[0], sizes[0], plan.type); !why.empty())
            return {{"measurements", Json::array()}, {"left_out", {why}}};
    MemoryWatch memory;
    Json result = {{"measurements", bench(stages, sizes, plan, options_of(params), context.progress,
                                          &context.cancel)}};
    memory.note(result);
    std::set<std::string> passed_over;
    for (const Stage& stage : stages)
        for (const MatrixSize& size : sizes)
            if (several) passed_over.insert(left_out(stage, size, plan.type));
    passed_over.erase("");
    if (!passed_over.empty()) result["left_out"] = passed_over;
    return result;
}

// params: {job, options}
Json count_here(const Json& params, JobContext& context) {
    Flush flush;
    return count_launch(params.at("job").get<Job>(), options_of(params).time_limit_s,
                        &context.cancel);
}

// params: {job, options}; both are optional
Json staircase_here(const Json& params, JobContext& context) {
    StaircaseOptions options;
    options.time_limit_s = options_of(params).time_limit_s;
    if (params.contains("job")) options.job = params["job"].get<Job>();
    return measure_staircase(options, context.progress, &context.cancel);
}

Json gpu_here(const Json&, JobContext&) { return gpu_status(); }

// Compiling and the largest uploads included; a launch that hangs is noticed by measure() itself.
constexpr double kMeasureLimitSeconds = 300;
constexpr double kBenchLimitSeconds = 3600;
constexpr double kGpuLimitSeconds = 90;  // a little more than waking the cards may take

}  // namespace

JobFailure failure_at_hand() {
    try {
        throw;
    } catch (const Cancelled&) {
        return {Status::fine, "cancelled", {}};
    } catch (const NoCompiler& error) {
        return {error.status(), error.what(), {{"no_compiler", true}}};
    } catch (const CompileError& error) {
        return {error.status(), error.what(), diagnostics_json(error)};
    } catch (const DetailedError& error) {
        return {error.status(), error.what(), error.details()};
    } catch (const Error& error) {
        return {error.status(), error.what(), {}};
    } catch (const std::bad_alloc&) {
        return {Status::bad_input, "not enough memory for this: choose fewer rows or columns", {}};
    } catch (const Json::exception& error) {
        return {Status::bad_input, "the request makes no sense: " + std::string(error.what()), {}};
    } catch (const std::exception& error) {
        return {Status::failed_check, error.what(), {}};
    }
}

Service lab_service() {
    Service service;
    service.methods = {
        // name      lane                newest  limit  work, and whether it tells its place
        {"picture", LaneKind::pictures, true, 0, picture},
        {"check", LaneKind::checks, true, 0, check},
        {"analyse", LaneKind::others, false, 0, analyse_job},
        {"pads", LaneKind::others, false, 0, pads},
        {"product", LaneKind::others, true, 0, product},
        {"mismatch", LaneKind::others, true, 0, mismatch},
        {"judge", LaneKind::others, true, 0, judge_source},
        {"walk", LaneKind::others, true, 0, walk},
        {"swizzle", LaneKind::pictures, true, 0, swizzle},
        {"fixes", LaneKind::others, true, 0, fixes},
        {"causes", LaneKind::models, true, 0, causes},
        {"step", LaneKind::steps, false, 0, step},
        {"measure", LaneKind::others, false, 0, measure_elsewhere, true},
        {"measure_own", LaneKind::others, false, 0, measure_own_elsewhere, true},
        {"race", LaneKind::others, false, 0, race_elsewhere, true},
        {"bench", LaneKind::others, false, 0, bench_elsewhere, true},
        {"count", LaneKind::others, false, 0, count_elsewhere, true},
        {"staircase", LaneKind::others, false, 0, staircase_elsewhere, true},
        {"status", LaneKind::others, false, 0, status},
        {"ping", LaneKind::pictures, false, 0, ping},
    };
    service.status = [] {
        warm_up_compiler();
        return status_json();
    };
    return service;
}

Service worker_service() {
    Service service;
    service.methods = {
        // name      lane               newest  limit                 work
        {"measure", LaneKind::others, false, kMeasureLimitSeconds, measure_here},
        {"measure_own", LaneKind::others, false, kMeasureLimitSeconds, measure_own_here},
        {"race", LaneKind::others, false, kMeasureLimitSeconds, race_here},
        {"bench", LaneKind::others, false, kBenchLimitSeconds, bench_here},
        {"count", LaneKind::others, false, kMeasureLimitSeconds, count_here},
        {"staircase", LaneKind::others, false, kMeasureLimitSeconds, staircase_here},
        {"gpu", LaneKind::pictures, false, kGpuLimitSeconds, gpu_here},
    };
    service.status = [] { return Json{{"gpu", gpu_status().found}}; };  // and the driver is ready
    service.gpu_lost = [] { return Gpu::lost(); };
    service.fault = [] { return Gpu::fault(); };
    service.hangs = [] { return Gpu::hangs(); };
    return service;
}

}  // namespace lanewise
