// run, bench: what the hardware says. They need a GPU.
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>

#include "base/error.h"
#include "base/text.h"
#include "engine_commands.h"
#include "engine_options.h"
#include "engine_print.h"
#include "gpu/device.h"
#include "lab/bench.h"
#include "lab/json.h"
#include "lab/recording.h"

namespace lanewise {

namespace {

void need_gpu() {
    if (!gpu_status().found) throw Error(Status::needs_gpu, gpu_status().problem);
}

// One line that overwrites itself, on a terminal only.
void show_progress(double fraction, const std::string& what) {
    if (!::isatty(STDERR_FILENO)) return;
    fmt::print(stderr, "\r\033[K{:3.0f} %  {}", 100 * fraction, what);
    if (fraction >= 1) fmt::print(stderr, "\r\033[K");
}

int status_of(const std::vector<Measurement>& measurements) {
    for (const Measurement& measurement : measurements)
        if (!measurement.correct) return static_cast<int>(Status::failed_check);
    return 0;
}

int run(const JobOptions& options) {
    Job job = options.job();
    if (job.own.is_used())
        throw Error(Status::bad_input,
                    "run verifies and times stages; a kernel from outside the catalogue can be "
                    "traced and checked. Give " +
                        job.stage.file + " a stage head to run it (README.md, \"Add a stage\")");
    need_gpu();
    std::vector<Measurement> measurements = {measure(job, {}, show_progress)};
    if (options.json)
        print_json(measurements.front());
    else
        print_measurements(measurements);
    return status_of(measurements);
}

struct BenchOptions {
    std::vector<std::string> stages, sizes = {"4096x4096"};
    std::string record;
    bool json = false;
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
                                     const std::vector<Stage>& stages) {
    std::vector<MatrixSize> sizes;
    for (const std::string& text : texts) {
        Job job;
        parse_size(text, job.rows, job.cols);
        for (const Stage& stage : stages) {
            bool left_out = is_in_place(stage) && job.rows != job.cols && stages.size() > 1;
            if (left_out) continue;
            job.stage = stage;
            job.knobs.clear();
            job.type = stage.types.front();
            validate(job);
        }
        sizes.push_back({job.rows, job.cols});
    }
    return sizes;
}

int bench_ladder(const BenchOptions& options) {
    std::vector<Stage> stages = chosen_stages(options.stages);
    std::vector<MatrixSize> sizes = chosen_sizes(options.sizes, stages);
    need_gpu();
    std::vector<Measurement> measurements = bench(stages, sizes, {}, show_progress);
    if (!options.record.empty() && !measurements.empty()) {
        const Provenance& provenance = measurements.front().provenance;
        write_recording({provenance.card, provenance.date, measurements, options.record},
                        options.record);
    }
    if (options.json)
        print_json(measurements);
    else
        print_measurements(measurements);
    return status_of(measurements);
}

}  // namespace

void add_run(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("run", "launch a stage on the GPU: verify and time it");
    auto options = std::make_shared<JobOptions>();
    options->add_to(*command);
    command->callback([options, &status] { status = run(*options); });
}

void add_bench(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("bench", "time stages side by side, with the best copy");
    auto options = std::make_shared<BenchOptions>();
    command->add_option("stages", options->stages, "stages; all of them where none is named");
    command->add_option("--sizes", options->sizes, "ROWSxCOLS,…")->delimiter(',');
    command->add_option("--record", options->record, "also write the result, raw samples included");
    command->add_flag("--json", options->json, "print one JSON array");
    command->callback([options, &status] { status = bench_ladder(*options); });
}

}  // namespace lanewise
