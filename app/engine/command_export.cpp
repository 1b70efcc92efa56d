// export: a stage's kernel as a header for other programs, with a test, a bench and what is known of it.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/export/export_files.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// What `export transpose` means: both kernels behind one call.
constexpr const char* kTranspose = "transpose";
constexpr const char* kPair[] = {"transpose/80_register_tiles", "transpose/88_any_shape"};

ExportedStage exported(Job job) {
    export_kind(job.stage);  // refuses before anything is interpreted
    validate(job);
    Analysis counted = analyse(job);
    if (counted.has_reference && !counted.correct)
        throw Error(Status::failed_check, job.stage.id +
                                              " gives a wrong result, so it is not exported: " +
                                              result_in_words(counted));
    return {job, counted};
}

std::vector<ExportedStage> stages_of(const JobOptions& options) {
    if (options.stage != kTranspose) return {exported(options.job())};
    std::vector<ExportedStage> pair;
    for (const char* stage : kPair) {
        JobOptions one = options;
        one.stage = stage;
        pair.push_back(exported(one.job()));
    }
    return pair;
}

void write_export(const JobOptions& options, const std::string& folder) {
    TimeLimit limit(options.time_limit_s);
    if (options.own.any())
        throw Error(
            Status::bad_input,
            "export is for stages, which say how they are launched at any shape; a kernel of "
            "your own becomes one with a head between /*--- and ---*/");
    std::vector<ExportedStage> stages = stages_of(options);
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) throw Error(Status::bad_input, "--out " + folder + ": " + failure.message());
    for (const ExportFile& file : export_files(stages, known_recordings(load_catalogue()))) {
        write_file(fs::path(folder) / file.name, file.text);
        fmt::print("{}\n", (fs::path(folder) / file.name).string());
    }
}

}  // namespace

static void add_export(EngineCommand& app, int&) {
    auto* command = app.add_subcommand(
        "export", "write a stage's kernel as a header for other programs, with a test and a bench");
    auto options = std::make_shared<JobOptions>();
    auto folder = std::make_shared<std::string>();
    options->add_to(*command);
    command->add_option("--out", *folder, "the folder that the files go to")->required();
    command->footer(
        "`export transpose` writes transpose/80_register_tiles and 88_any_shape behind one call.");
    command->callback([=] { write_export(*options, *folder); });
}
static const CommandRow kExport("export", "launches", add_export, Compiles::yes);

}  // namespace lanewise
