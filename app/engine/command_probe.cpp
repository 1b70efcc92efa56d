// probe: what bank conflicts cost on this card, measured with a clock and no counter.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "engine/where.h"
#include "figure/drawing/svg.h"
#include "lab/json/json.h"
#include "lab/json/staircase_json.h"
#include "lab/micro/staircase_show.h"

namespace lanewise {

namespace {

constexpr float kFigureWidth = 760, kFigureMargin = 16;

struct ProbeOptions {
    JobOptions job;
    WhereOptions where;
    std::string out, theme = "light";
    bool recorded = false;
};

Staircase newest_recorded() {
    std::filesystem::path folder = content_folder() / "assets/recordings/staircase";
    std::vector<std::string> problems;
    std::vector<Staircase> all = read_staircases(folder, problems);
    if (!problems.empty()) throw Error(Status::bad_input, problems.front());
    if (all.empty())
        throw Error(Status::bad_input,
                    "no staircase is recorded in " + folder.string() +
                        ": on a machine with a GPU, write one with `lanewise-engine probe --out " +
                        (folder / "CARD.json").string() + "`");
    return all.back();
}

Staircase take(const ProbeOptions& options) {
    if (options.recorded) return newest_recorded();
    Json params = Json::object();
    if (!options.job.stage.empty()) params["job"] = options.job.job();
    return run_job(options.where, "staircase", params).get<Staircase>();
}

// By the ending of its name: .json, .csv or .svg.
void write(const Staircase& staircase, const ProbeOptions& options) {
    std::filesystem::path file = options.out;
    StaircaseFigureInput input = staircase_figure_input(staircase, options.recorded);
    input.width = kFigureWidth;
    if (file.extension() == ".json")
        write_file(file, Json(staircase).dump(1) + "\n");
    else if (file.extension() == ".csv")
        write_file(file, staircase_csv(staircase));
    else
        write_file(file, svg(framed(staircase_figure(input, measure_approximately), kFigureMargin),
                             palette(options.theme), "What a wavefront costs"));
}

void check_probe(const ProbeOptions& options) {
    std::string ending = std::filesystem::path(options.out).extension();
    if (!options.out.empty() && ending != ".json" && ending != ".csv" && ending != ".svg")
        throw Error(Status::bad_input,
                    "--out " + options.out + ": the name must end in .svg, .json or .csv");
    palette(options.theme);
}

void probe(const ProbeOptions& options) {
    check_probe(options);
    if (options.recorded) options.where.refuse_engine_beside("--recorded");
    Staircase staircase = take(options);
    if (!options.out.empty()) write(staircase, options);
    if (options.job.json)
        print_json(staircase);
    else
        fmt::print("{}{}", options.recorded ? "Recorded: " : "", staircase_text(staircase));
}

}  // namespace

static void add_probe(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "probe", "time bank conflicts on the GPU, and a stage's own accesses of shared memory");
    auto options = std::make_shared<ProbeOptions>();
    options->job.add_to(*command);
    command->get_option("stage")->required(false);
    options->where.add_to(*command);
    command->add_option("--out", options->out, "also write a file: .svg, .json or .csv");
    command->add_option("--theme", options->theme, "of the .svg: dark, light or projector")
        ->capture_default_str();
    command->add_flag("--recorded", options->recorded, "show the recorded staircase; needs no GPU");
    command->callback([options] { probe(*options); });
}
static const CommandRow kProbe("probe", "bench", add_probe, Compiles::yes);

}  // namespace lanewise
