// calibrate: measures what the card can do, and fits the model's constants to such a measurement.
// The first needs a GPU of this machine; the second needs none.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "engine/commands.h"
#include "engine/where.h"
#include "gpu/device.h"
#include "lab/micro/microbench.h"
#include "model/fit.h"

namespace lanewise {
namespace {

struct CalibrateCommand {
    std::string what, out, fit;
    bool once = false;
};

void measure_card(const CalibrateCommand& command) {
    if (!gpu_status().found) throw Error(Status::needs_gpu, gpu_status().problem);
    TerminalProgress progress;
    std::string text =
        command.what == "occupancy"
            ? occupancy_sweep(progress.listener())
            : calibration_csv(run_microbenches({command.what, command.once}, progress.listener(),
                                               &progress.cancelled()));
    progress.clear();
    if (command.out.empty())
        fmt::print("{}", text);
    else
        write_file(command.out, text);
}

std::string runs_in_words(const std::vector<RunFactor>& runs) {
    std::string words;
    for (const RunFactor& run : runs)
        words += fmt::format("{}{:g} B: {:g}", words.empty() ? "" : ", ", run.bytes, run.factor);
    return words;
}

void print_fit(const Fit& fit, const std::string& card) {
    fmt::print("The model's constants for {}:\n\n", card);
    for (const CostField& field : cost_fields())
        fmt::print("{:<24} {:>8g}  {}\n", field.name, fit.costs.*field.value,
                   fit.from.at(field.name));
    fmt::print("{:<24} {}\n{:33}  {}\n", "read_runs", runs_in_words(fit.costs.read_runs), "",
               fit.from.at("read_runs"));
    fmt::print("{:<24} {}\n{:33}  {}\n", "write_runs", runs_in_words(fit.costs.write_runs), "",
               fit.from.at("write_runs"));
    fmt::print("{:<24} {:>8g}  {}\n", "launch_us", fit.launch_us, fit.from.at("launch_us"));
    fmt::print("\nWhat they give for the rows they are fitted to, in clocks:\n\n");
    fmt::print("{:<18} {:<30} {:>10} {:>10} {:>8}\n", "station", "kernel, a", "measured", "fitted",
               "error");
    for (const FitCheck& check : fit.checks)
        fmt::print("{:<18} {:<30} {:>10.4g} {:>10.4g} {:>+6.1f} %\n", check.station, check.row,
                   check.measured, check.fitted, 100 * check.error());
}

void fit_card(const CalibrateCommand& command) {
    Calibration calibration = read_calibration(command.fit);
    if (!command.out.empty()) {
        for (const auto& file : refit_profiles(calibration, command.out))
            fmt::print("wrote {}\n", file.string());
        return;
    }
    for (const DeviceProfile& device : device_profiles(content_folder()))
        if (device.name == calibration.card)
            return print_fit(fit_costs(calibration, device), device.name);
    throw Error(Status::bad_input,
                fmt::format("assets/devices has no profile of an {}; copy another card's, with "
                            "this name",
                            calibration.card));
}

}  // namespace

static void add_calibrate(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "calibrate", "measure what the card can do, for the model: micro-benchmarks");
    auto options = std::make_shared<CalibrateCommand>();
    command->add_option("what", options->what,
                        "those whose name starts so; \"occupancy\" for the driver's table");
    command->add_option("--out", options->out,
                        "the file to write, .csv; with --fit the folder of profiles");
    command->add_flag("--once", options->once, "one untimed launch each, for a profiler");
    command->add_option("--fit", options->fit,
                        "fit the model's constants to this .csv and print them; no GPU needed");
    command->callback(
        [options] { options->fit.empty() ? measure_card(*options) : fit_card(*options); });
}
static const CommandRow kCalibrate("calibrate", "picture", add_calibrate, Compiles::yes);

}  // namespace lanewise
