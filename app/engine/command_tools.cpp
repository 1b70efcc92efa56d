// rules, report, lesson, doctor.
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "engine/where.h"
#include "lab/record/doctor.h"
#include "lab/report/lesson_page.h"
#include "lab/report/report.h"
#include "service/gpu_worker.h"
#include "trace/count/access_table.h"

namespace lanewise {

namespace {

int check_rules(const std::string& file) {
    AccessTableResult result = check_access_table(read_file(file), file);
    for (const AccessMismatch& m : result.mismatches)
        fmt::print("{}:{}: {}: {} {} recorded, {} predicted\n", file, m.line, m.access, m.recorded,
                   m.count, m.predicted);
    fmt::print("{} cases, {} mismatches\n", result.cases, result.mismatches.size());
    return static_cast<int>(result.mismatches.empty() ? Status::fine : Status::failed_check);
}

struct PageOptions {
    std::string out;
    int64_t rows = 4096, cols = 4096;
    std::vector<std::string> stages;
    bool without_answers = false;
};

void add_page_options(EngineCommand& command, PageOptions& options) {
    command.add_option("--out", options.out, "the folder to write")->capture_default_str();
    add_count(command, "--rows", options.rows, "rows of the input");
    add_count(command, "--cols", options.cols, "columns of the input");
}

void report(const PageOptions& options) {
    check_shape(options.rows, options.cols);
    Catalogue catalogue = load_catalogue();
    auto page = write_report(options.out, catalogue, known_recordings(catalogue), options.rows,
                             options.cols);
    fmt::print("{}\n", page.string());
}

void lesson(const PageOptions& options) {
    check_shape(options.rows, options.cols);
    Catalogue catalogue = load_catalogue();
    auto page = write_lessons(options.out, catalogue, known_recordings(catalogue), options.stages,
                              options.rows, options.cols, !options.without_answers);
    fmt::print("{}\n", page.string());
}

void doctor(bool as_json) {
    std::vector<Check> checks = examine();
    if (as_json) return print_json(checks);
    for (const Check& check : checks) {
        fmt::print("{:<8} {:<20} {}\n", check.ok ? "ok" : "missing", check.name, check.found);
        if (check.ok) continue;
        for (std::string_view line : lines_of(check.advice)) fmt::print("{:<30}{}\n", "", line);
    }
}

}  // namespace

static void add_rules(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand("rules", "compare recorded warp accesses with the rules");
    auto file = std::make_shared<std::string>();
    command->add_option("file", *file, "an access table, .csv")->required();
    command->callback([file, &status] { status = check_rules(*file); });
}
static const CommandRow kRules("rules", "occupancy", add_rules);

static void add_report(EngineCommand& app, int&) {
    auto* command = app.add_subcommand("report", "write the whole ladder as one HTML page");
    auto options = std::make_shared<PageOptions>();
    options->out = "report";
    add_page_options(*command, *options);
    command->callback([options] { report(*options); });
}
static const CommandRow kReport("report", "ending", add_report, Compiles::yes);

static void add_lesson(EngineCommand& app, int&) {
    auto* command = app.add_subcommand("lesson", "write lessons as HTML pages for a class");
    auto options = std::make_shared<PageOptions>();
    options->out = "lessons-html";
    command->add_option("stages", options->stages, "which stages; all of them where none is named");
    add_page_options(*command, *options);
    command->add_flag("--without-answers", options->without_answers, "a handout: questions only");
    command->callback([options] { lesson(*options); });
}
static const CommandRow kLesson("lesson", "report", add_lesson, Compiles::yes);

static void add_doctor(EngineCommand& app, int&) {
    auto* command =
        app.add_subcommand("doctor", "say what was found, and what to do about the rest");
    auto as_json = std::make_shared<bool>(false);
    command->add_flag("--json", *as_json, "print one JSON array");
    auto gpu = add_gpu_choice(*command);
    command->callback([as_json, gpu] {
        use_gpu_worker(*gpu, false);
        doctor(*as_json);
    });
}
static const CommandRow kDoctor("doctor", "slides", add_doctor);

}  // namespace lanewise
