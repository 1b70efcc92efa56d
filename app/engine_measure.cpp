// run, bench: what the hardware says. They need a GPU, of this machine or another.
#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "engine_commands.h"
#include "engine_options.h"
#include "engine_print.h"
#include "engine_where.h"
#include "gpu/device.h"
#include "lab/bench.h"
#include "lab/json.h"
#include "lab/microbench.h"
#include "lab/recording.h"
#include "service/kernel_runs.h"

namespace lanewise {

namespace {

// Runs a job where kernels run (app/service/kernel_runs.h), or on the engine that `where` starts,
// while stderr says how far it is. Ctrl-C cancels it.
Json run_job(const WhereOptions& where, const std::string& method, const Json& params) {
    TerminalProgress progress;
    Json result = where.engine.empty() ? run_in_worker(gpu_worker(), method, params,
                                                       progress.listener(), &progress.cancelled())
                                       : run_on_engine(where.engine, method, params,
                                                       progress.listener(), progress.cancelled());
    progress.clear();
    return result;
}

// For what runs in this process.
void need_gpu() {
    if (!gpu_status().found) throw Error(Status::needs_gpu, gpu_status().problem);
}

void print_printed(const Json& result) {
    if (!result.contains("printed")) return;
    const Json& printed = result["printed"];
    std::string text = printed.at("text");
    auto bytes = printed.at("bytes").get<uint64_t>();
    fmt::print("\nThe kernel printed{}:\n{}{}",
               bytes > text.size() ? fmt::format(" {}, which begins so", in_bytes(bytes)) : "",
               text, text.ends_with('\n') ? "" : "\n");
}

int status_of(const std::vector<Measurement>& measurements) {
    for (const Measurement& measurement : measurements)
        if (!measurement.correct) return static_cast<int>(Status::failed_check);
    return 0;
}

// In this process: a profiler or a sanitizer looks at what it started.
int run_own(const Job& job, bool json, bool once) {
    need_gpu();
    TerminalProgress progress;
    MeasureOptions how;
    if (once) how.samples = 0;
    OwnMeasurement measurement = measure_own(job, how, progress.listener(), &progress.cancelled());
    progress.clear();
    if (json)
        print_json(own_run_json(measurement));
    else
        print_own_run(measurement);
    bool fine = measurement.is_near() && measurement.findings == 0;
    return static_cast<int>(fine ? Status::fine : Status::failed_check);
}

int run(const JobOptions& options, const WhereOptions& where, bool once) {
    Job job = options.job();
    if (once && !job.own.is_used())
        throw Error(Status::bad_input,
                    "--once is for a kernel of your own; a stage is always verified and timed");
    if (job.own.is_used()) return run_own(job, options.json, once);
    Json result = run_job(where, "measure", {{"job", job}});
    if (options.json) print_json(result);
    std::vector<Measurement> measurements = {result.get<Measurement>()};
    if (!options.json) print_measurements(measurements);
    if (!options.json) print_printed(result);
    return status_of(measurements);
}

struct BenchOptions {
    WhereOptions where;
    std::vector<std::string> stages, sizes = {"4096x4096"};
    std::string record, type;
    bool json = false, sweep = false;
};

std::vector<Stage> chosen_stages(const std::vector<std::string>& names) {
    std::vector<Stage> stages;
    for (const std::string& name : names) stages.push_back(find_stage(name));
    if (!names.empty()) return stages;
    Catalogue catalogue = load_catalogue();
    for (const Stage& stage : catalogue.stages())
        if (stage.error.empty() && !is_exercise(stage)) stages.push_back(stage);
    return stages;
}

// Refuses every impossible size before the first one is measured.
std::vector<MatrixSize> chosen_sizes(const std::vector<std::string>& texts,
                                     const std::vector<Stage>& stages, const std::string& type) {
    std::vector<MatrixSize> sizes;
    for (const std::string& text : texts) {
        Job job;
        parse_size(text, job.rows, job.cols);
        for (const Stage& stage : stages) {
            if (stages.size() > 1 && !left_out(stage, {job.rows, job.cols}, type).empty()) continue;
            job.stage = stage;
            job.knobs.clear();
            job.type = type.empty() ? stage.types.front() : type;
            validate(job);
        }
        sizes.push_back({job.rows, job.cols});
    }
    return sizes;
}

void calibrate(const std::string& what, const std::string& out, bool once) {
    need_gpu();
    TerminalProgress progress;
    std::string text = what == "occupancy"
                           ? occupancy_sweep(progress.listener())
                           : calibration_csv(run_microbenches({what, once}, progress.listener(),
                                                              &progress.cancelled()));
    progress.clear();
    if (out.empty())
        fmt::print("{}", text);
    else
        write_file(out, text);
}

int bench_ladder(const BenchOptions& options) {
    std::vector<Stage> stages = chosen_stages(options.stages);
    std::vector<MatrixSize> sizes = chosen_sizes(options.sizes, stages, options.type);
    Json params = {{"stages", stages},
                   {"sizes", Json::array()},
                   {"type", options.type},
                   {"sweep", options.sweep}};
    for (const MatrixSize& size : sizes) params["sizes"].push_back({size.rows, size.cols});
    Json result = run_job(options.where, "bench", params);
    auto measurements = result.at("measurements").get<std::vector<Measurement>>();
    if (!options.record.empty() && !measurements.empty()) {
        const Provenance& provenance = measurements.front().provenance;
        write_recording({provenance.card, provenance.date, measurements, options.record},
                        options.record);
    }
    if (options.json)
        print_json(measurements);
    else
        print_measurements(measurements);
    if (!options.json) print_printed(result);
    for (const Json& why : result.value("left_out", Json::array()))
        fmt::print(stderr, "left out: {}\n", why.get<std::string>());
    return status_of(measurements);
}

}  // namespace

void add_run(CLI::App& app, int& status) {
    auto* command =
        app.add_subcommand("run", "launch a stage or a kernel on the GPU: verify and time it");
    auto options = std::make_shared<JobOptions>();
    auto once = std::make_shared<bool>(false);
    options->add_to(*command);
    command
        ->add_flag("--once", *once,
                   "one launch, compared and not timed: for profilers and sanitizers")
        ->group("Your own kernel");
    auto where = std::make_shared<WhereOptions>();
    where->add_to(*command);
    command->callback([options, where, once, &status] { status = run(*options, *where, *once); });
}

void add_bench(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("bench", "time stages side by side, with the best copy");
    auto options = std::make_shared<BenchOptions>();
    command->add_option("stages", options->stages, "stages; all of them where none is named");
    command->add_option("--sizes", options->sizes, "ROWSxCOLS,…")->delimiter(',');
    command->add_option("--type", options->type,
                        "element type; each stage's first where none is given");
    command->add_flag("--sweep", options->sweep, "every combination of the stages' knobs");
    command->add_option("--record", options->record, "also write the result, raw samples included");
    command->add_flag("--json", options->json, "print one JSON array");
    options->where.add_to(*command);
    command->callback([options, &status] { status = bench_ladder(*options); });
}

void add_calibrate(CLI::App& app, int&) {
    auto* command = app.add_subcommand(
        "calibrate", "measure what the card can do, for the model: micro-benchmarks");
    struct Options {
        std::string what, out;
        bool once = false;
    };
    auto options = std::make_shared<Options>();
    command->add_option("what", options->what,
                        "those whose name starts so; \"occupancy\" for the driver's table");
    command->add_option("--out", options->out, "the file to write, .csv");
    command->add_flag("--once", options->once, "one untimed launch each, for a profiler");
    command->callback([options] { calibrate(options->what, options->out, options->once); });
}

}  // namespace lanewise
