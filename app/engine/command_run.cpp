// run, bench: what the hardware says. They need a GPU, of this machine or another.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/operation.h"
#include "engine/bench_crossover.h"
#include "engine/bench_predict.h"
#include "engine/bench_predict_set.h"
#include "engine/bench_set.h"
#include "engine/commands.h"
#include "engine/counters.h"
#include "engine/options.h"
#include "engine/print.h"
#include "engine/where.h"
#include "gpu/device.h"
#include "lab/job/needs.h"
#include "lab/json/json.h"
#include "lab/measure/bench.h"
#include "lab/record/recording.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

// For what runs in this process.
void need_gpu() {
    if (!gpu_status().found) throw Error(Status::needs_gpu, gpu_status().problem);
}

void print_printed_text(const Json& result) {
    if (!result.contains("printed")) return;
    const Json& printed = result["printed"];
    std::string text = printed.at("text");
    auto bytes = printed.at("bytes").get<uint64_t>();
    fmt::print("\nThe kernel printed{}:\n{}{}",
               bytes > text.size() ? fmt::format(" {}, which begins so", in_bytes(bytes)) : "",
               text, text.ends_with('\n') ? "" : "\n");
}

// One row for each stage that failed, as a measurement's, and why.
void print_crashes(const Json& crashes) {
    for (const Json& one : crashes) {
        std::string shape =
            fmt::format("{} x {}", one.at("rows").get<int64_t>(), one.at("cols").get<int64_t>());
        if (one.contains("inner")) shape += fmt::format(" x {}", one["inner"].get<int64_t>());
        fmt::print("{:<26} {:<18} failed: {}\n", one.at("stage").get<std::string>(), shape,
                   one.at("message").get<std::string>());
    }
}

int status_of(const std::vector<Measurement>& measurements) {
    for (const Measurement& measurement : measurements)
        if (!measurement.correct) return static_cast<int>(Status::failed_check);
    return 0;
}

struct RunOptions {
    JobOptions job;
    WhereOptions where;
    bool once = false, counters = false;
};

// Counted after everything else, so that nothing is lost where that cannot be done.
void add_counters(const RunOptions& options, const Job& job, const Provenance& provenance,
                  const LaunchFacts& facts, Json& result) {
    if (!options.counters) return;
    CountedRun counted = count_run(options.where, job, provenance.arch, facts);
    if (options.job.json)
        result["counters"] = counted_json(counted);
    else
        fmt::print("{}", counts_text(counted.rows, counted.reading));
}

// In this process: a profiler or a sanitizer looks at what it started.
Json run_own_here(const RunOptions& options, const Job& job) {
    need_gpu();
    TerminalProgress progress;
    MeasureOptions how;
    if (options.once) how.samples = 0;
    OwnMeasurement measurement = measure_own(job, how, progress.listener(), &progress.cancelled());
    progress.clear();
    return own_run_json(measurement);
}

int run_own(const RunOptions& options, const Job& job) {
    if (options.once) options.where.refuse_engine_beside("--once");
    bool is_here = options.where.engine.empty();
    Json result = is_here ? run_own_here(options, job)
                          : run_job(options.where, "measure_own", {{"job", job}});
    OwnMeasurement measurement = own_run_from(result);
    if (!options.job.json) print_own_run(measurement);
    if (!options.job.json) print_printed_text(result);
    add_counters(options, job, measurement.provenance, {}, result);
    if (options.job.json) print_json(result);
    bool fine = measurement.is_near() && measurement.findings == 0;
    return static_cast<int>(fine ? Status::fine : Status::failed_check);
}

int run(const RunOptions& options) {
    Job job = options.job.job();
    if (options.once && !job.own.is_used())
        throw Error(Status::bad_input,
                    "--once is for a kernel of your own; a stage is always verified and timed");
    if (job.own.is_used()) return run_own(options, job);
    Json result = run_job(options.where, "measure", {{"job", job}});
    std::vector<Measurement> measurements = {result.get<Measurement>()};
    const Measurement& measurement = measurements.front();
    if (!options.job.json) print_measurements(measurements);
    if (!options.job.json) print_printed_text(result);
    LaunchFacts facts = launch_facts(job, measurement.cold.time_us.median);
    add_counters(options, job, measurement.provenance, facts, result);
    if (options.job.json) print_json(result);
    return status_of(measurements);
}

struct BenchOptions {
    WhereOptions where;
    std::vector<std::string> stages, sizes = {"4096x4096"};
    std::string record, type, input = "random";
    std::string out, set, recording, ranges, unseen;
    int64_t batch = 1;
    bool json = false, sweep = false, predict = false, crossover = false, uncounted = false;
};

std::vector<Stage> chosen_stages(const std::vector<std::string>& names) {
    std::vector<Stage> stages;
    for (const std::string& name : names) stages.push_back(find_stage(name));
    if (!names.empty()) return stages;
    Catalogue catalogue = load_catalogue();
    for (const Stage& stage : catalogue.stages())
        if (stage.error.empty() && is_rung(stage)) stages.push_back(stage);
    return stages;
}

// Refuses every impossible size before the first one is measured.
std::vector<MatrixSize> chosen_sizes(const BenchOptions& options,
                                     const std::vector<Stage>& stages) {
    std::vector<MatrixSize> sizes;
    for (const std::string& text : options.sizes) {
        MatrixSize size;
        size.batch = options.batch;
        size_of_option(text, size.rows, size.cols, size.inner);
        sizes.push_back(size);
        for (const Stage& stage : stages) {
            if (std::string why = left_out(stage, size, options.type); !why.empty()) {
                if (stages.size() > 1) continue;
                bool fits = operation_of(stage).has_inner() == (size.inner != kNoInner);
                if (!fits || size.batch > 1) throw Error(Status::bad_input, why);
            }
            for (Job& job : bench_jobs({stage}, size, {options.type, false, options.input}))
                validate(job);
        }
    }
    return sizes;
}

// Measuring may have taken an hour: what cannot be written to `file` goes where the program keeps
// its own.
void record(const std::vector<Measurement>& measurements, const fs::path& file) {
    const Provenance& provenance = measurements.front().provenance;
    Recording recording{provenance.card, provenance.date, measurements, file};
    try {
        write_recording(recording, file);
    } catch (const Error& error) {
        fs::path instead = state_folder() / "recordings" / file.filename();
        write_recording(recording, instead);
        throw Error(error.status(), fmt::format("{}; the recording is in {} instead", error.what(),
                                                instead.string()));
    }
}

// Of several stages those of which a prediction can be made here; the others are named.
std::vector<Stage> predictable(const std::vector<Stage>& stages) {
    if (stages.size() == 1) return stages;
    std::vector<Stage> found;
    for (const Stage& stage : stages) {
        std::string why = cannot_interpret(stage);
        if (why.empty())
            found.push_back(stage);
        else
            fmt::print(stderr, "left out: {}\n", why);
    }
    return found;
}

int crossover(const BenchOptions& options, const std::vector<Stage>& stages,
              const std::vector<MatrixSize>& sizes) {
    if (stages.size() != 1 || stages[0].library != "cusparse_spmm")
        throw Error(Status::bad_input,
                    "--crossover is for the sparse product alone: lanewise-engine bench "
                    "matmul/96_cusparse_product --crossover");
    std::vector<Job> jobs;
    for (const MatrixSize& size : sizes)
        for (Job& job : bench_jobs(stages, size, {})) jobs.push_back(std::move(job));
    return find_crossover(options.where, jobs, options.json, options.out);
}

int bench_set(const BenchOptions& options) {
    if (!options.stages.empty())
        throw Error(Status::bad_input, "--set has launches of its own: name no stages with it");
    if (!options.unseen.empty() && options.ranges.empty())
        throw Error(Status::bad_input, "--unseen says what the ranges come from; name the file for them with --ranges FILE");
    if (options.predict) {
        predict_set(options.set, options.recording, options.json, {options.ranges, options.unseen});
        return 0;
    }
    if (options.record.empty())
        throw Error(Status::bad_input,
                    "--set wants --record FILE, where the times are written, or --predict");
    return record_set(options.set, options.record, !options.uncounted);
}

int bench_ladder(const BenchOptions& options) {
    if (options.predict) options.where.refuse_engine_beside("--predict");
    if (!options.set.empty()) options.where.refuse_engine_beside("--set");
    if (!options.set.empty()) return bench_set(options);
    std::vector<Stage> stages = chosen_stages(options.stages);
    std::vector<MatrixSize> sizes = chosen_sizes(options, stages);
    if (options.crossover) return crossover(options, stages, sizes);
    if (!options.out.empty())
        throw Error(Status::bad_input,
                    "--out is where --crossover draws; a result is written by "
                    "--record");
    if (options.predict) {
        std::vector<Stage> predictable_stages = predictable(stages);
        std::vector<Job> jobs;
        for (const MatrixSize& size : sizes)
            for (Job& job :
                 bench_jobs(predictable_stages, size, {options.type, options.sweep, options.input}))
                jobs.push_back(std::move(job));
        predict_ladder(jobs, options.json);
        return 0;
    }
    Json params = {{"stages", stages},
                   {"sizes", Json::array()},
                   {"type", options.type},
                   {"sweep", options.sweep},
                   {"input", options.input}};
    if (options.batch != 1) params["batch"] = options.batch;
    for (const MatrixSize& size : sizes) {
        Json sides = {size.rows, size.cols};
        if (size.inner != kNoInner) sides.push_back(size.inner);
        params["sizes"].push_back(sides);
    }
    if (!options.record.empty()) check_recordable(options.record);
    Json result = run_job(options.where, "bench", params);
    auto measurements = result.at("measurements").get<std::vector<Measurement>>();
    Json crashes = result.value("crashes", Json::array());
    if (options.json) {
        Json rows = measurements;
        for (Json& crash : crashes) {
            crash["correct"] = false;
            rows.push_back(crash);
        }
        print_json(rows);
    } else {
        if (!measurements.empty()) print_measurements(measurements);
        print_crashes(crashes);
        print_printed_text(result);
    }
    for (const Json& why : result.value("left_out", Json::array()))
        fmt::print(stderr, "left out: {}\n", why.get<std::string>());
    if (measurements.empty() && crashes.empty())
        throw Error(Status::bad_input,
                    "none of these stages can be measured here at that size; choose others, or do "
                    "what is said above");
    if (!options.record.empty() && !measurements.empty()) record(measurements, options.record);
    return crashes.empty() ? status_of(measurements) : static_cast<int>(Status::failed_check);
}

}  // namespace

static void add_run(EngineCommand& app, int& status) {
    auto* command =
        app.add_subcommand("run", "launch a stage or a kernel on the GPU: verify and time it");
    auto options = std::make_shared<RunOptions>();
    options->job.is_timed = true;
    options->job.add_to(*command);
    command
        ->add_flag("--once", options->once,
                   "one launch, compared and not timed: for profilers and sanitizers")
        ->group("Your own kernel");
    command->add_flag("--counters", options->counters,
                      "also read the hardware's counters, beside the machine's counts");
    options->where.add_to(*command);
    command->callback([options, &status] { status = run(*options); });
}
static const CommandRow kRun("run", "assignment", add_run, Compiles::yes);

static void add_bench(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand("bench", "time stages side by side, with the best copy");
    auto options = std::make_shared<BenchOptions>();
    command->add_option("stages", options->stages, "stages; all of them where none is named");
    command
        ->add_option("--sizes", options->sizes,
                     "ROWSxCOLS,…; of products MxNxK, or NxN for a cube of that side")
        ->delimiter(',');
    add_count(*command, "--batch", options->batch,
              "matrices of that size at once, one behind the other in memory");
    command->add_option(
        "--input", options->input,
        "what products multiply: random, cancellation, denormals, special, or zeros:90 "
        "(percent of A)");
    command->add_option("--type", options->type,
                        "element type; each stage's first where none is given");
    command->add_flag("--sweep", options->sweep, "every combination of the stages' knobs");
    command->add_option("--record", options->record, "also write the result, raw samples included");
    command->add_flag("--predict", options->predict,
                      "what the model says, beside what was recorded; no GPU needed");
    command->add_flag("--crossover", options->crossover,
                      "of the sparse product: from how many zeros on it beats the dense one");
    command->add_option("--out", options->out, "with --crossover: draw it, as an .svg");
    command->add_option("--set", options->set,
                        "instead of stages, the launches that the model of time is judged by: "
                        "making, sealed or all");
    command->add_option("--recording", options->recording,
                        "with --predict --set: the recording to compare with, instead of the one "
                        "that comes along");
    command->add_option("--ranges", options->ranges,
                        "with --predict --set: also write how far the model is off, from which its "
                        "ranges come");
    command->add_option("--unseen", options->unseen,
                        "with --ranges: what --json printed of launches that the model had not seen; the "
                        "ranges are of these");
    command->add_flag("--uncounted", options->uncounted,
                      "with --set: leave the hardware's counters out");
    command->add_flag("--json", options->json, "print one JSON array");
    options->where.add_to(*command);
    command->callback([options, &status] { status = bench_ladder(*options); });
}
static const CommandRow kBench("bench", "run", add_bench, Compiles::yes);

}  // namespace lanewise
