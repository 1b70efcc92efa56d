// stages, trace, check: what the machine says; no GPU needed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "course/expression.h"
#include "course/path.h"
#include "course/query.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "engine/print.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/expected_time.h"
#include "lab/analysis/issues.h"
#include "lab/analysis/launch_timing.h"
#include "lab/analysis/launches.h"
#include "lab/analysis/product_sample.h"
#include "lab/json/cause_table_json.h"
#include "lab/json/json.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/own_kernel.h"
#include "lab/machine/saved_buffer.h"

namespace lanewise {

namespace {

void print_stage(const Stage& stage) {
    if (stage.error.empty())
        fmt::print("{:<28} {}\n", stage.id, stage.title);
    else
        fmt::print("{:<28} cannot be used: {}\n", stage.id, stage.error);
}

// All of them, in the catalogue's order; "minutes" is there of those that are of the core.
void print_stages_as_json(const Catalogue& catalogue, const Path& path) {
    Json list = Json::array();
    for (const Stage& stage : catalogue.stages()) {
        list.push_back(stage_json(stage));
        if (const PathLesson* lesson = core_lesson(path, stage.id))
            list.back()["minutes"] = lesson->minutes;
    }
    print_json(list);
}

// The core section by section with the time that it takes, then what is further.
void print_stages(bool as_json) {
    Catalogue catalogue = load_catalogue();
    const Path path = read_path(path_file(catalogue.content()), catalogue.stages());
    if (!path.error.empty()) fmt::print(stderr, "{}\n", path.error);
    if (as_json) return print_stages_as_json(catalogue, path);
    for (const PathSection& section : path.sections) {
        if (section.lessons.empty()) continue;
        int minutes = 0;
        for (const PathLesson& lesson : section.lessons) minutes += lesson.minutes;
        fmt::print("{}: {}\n", section.title, duration_text(minutes));
        for (const PathLesson& lesson : section.lessons)
            for (const Stage& stage : catalogue.stages())
                if (stage.id == lesson.stage) print_stage(stage);
        fmt::print("\n");
    }
    if (!path.sections.empty()) fmt::print("Further\n");
    for (const Stage& stage : catalogue.stages())
        if (!core_lesson(path, stage.id)) print_stage(stage);
}

// What may stand in an expectation as findings.KIND (docs/your-kernel.md, "Expectations").
constexpr const char* kFindingKinds[] = {"block_order",
                                         "out_of_bounds",
                                         "misaligned",
                                         "uninitialized_shared",
                                         "uninitialized_global",
                                         "race",
                                         "deadlock",
                                         "divergent_barrier",
                                         "runaway",
                                         "trap"};

int trace_status(const Analysis& analysis) {
    bool right = analysis.correct || !analysis.has_reference;
    bool fine = right && analysis.report.findings.empty();
    return static_cast<int>(fine ? Status::fine : Status::failed_check);
}

// Why a kernel of the user's own takes as long as it does, by the model of launches. A stage's time is
// the bandwidth model's, which is nearer to what was recorded of the ladder. Nothing of a launch that
// needs others, or has findings.
std::optional<CauseTable> causes_of_own(const Job& job, const Analysis& analysis) {
    if (!job.own.is_used() || !analysis.report.findings.empty()) return {};
    if (!job.own.before.empty() || !job.own.buffers.empty()) return {};  // it times one launch alone
    return causes_of(record_launch(job));
}

// In place of the bandwidth model's, so that one launch has one time.
void put(const CauseTable& table, const Analysis& analysis, Json& json) {
    Json& prediction = json["prediction"];
    prediction["holds"] = table.holds;
    prediction["sentence"] = table.sentence;
    if (!table.is_calibrated) return;  // the bandwidth model's stays
    prediction["model"] = "launch";
    prediction["time_us"] = table.time_us;
    prediction["low_us"] = table.low_us;
    prediction["high_us"] = table.high_us;
    prediction["limited_by"] = table.limited_by;
    prediction["l1_hit"] = table.l1_hit;
    prediction["l2_hit"] = table.l2_hit;
    prediction["dram_read_bytes"] = table.dram_read_bytes;
    prediction["lines"] = table.lines;
    const BandwidthPrediction& other = analysis.prediction;
    prediction["gb_per_s"] = table.holds ? other.gb_per_s * other.time_us / table.time_us : 0;
    json["issues"] = issues_of(table, analysis.report);
}

// trace_json, and of a kernel of the user's own what it was launched with.
Json job_json(const Job& job, const Analysis& analysis) {
    Json json = trace_json(analysis);
    if (job.own.is_used())
        json["params"] = {{"kernel", job.own.kernel}, {"args", job.own.arguments}};
    return json;
}

// And how long it takes, of a launch that needs no other before it.
Json timed_json(const Job& job, const Analysis& analysis) {
    Json json = job_json(job, analysis);
    if (const auto table = causes_of_own(job, analysis)) put(*table, analysis, json);
    return json;
}

void print_timed(const Job& job, const Analysis& analysis) {
    const std::optional<CauseTable> table = causes_of_own(job, analysis);
    print_analysis(job, analysis, table ? &*table : nullptr);
}

// Says beforehand what will take long, and does not begin what cannot be finished in time.
void foresee(const Job& job, double limit_s, int threads, uint64_t blocks) {
    constexpr double kSure = 1.5;  // so far off may what is foreseen be
    if (!is_long_to_interpret(job)) return;
    double seconds = seconds_to_interpret(job, threads, nullptr, blocks);
    if (limit_s > 0 && seconds > kSure * limit_s)
        throw Error(Status::out_of_time, sentence_on_long(job, seconds, limit_s));
    fmt::print(stderr, "lanewise-engine: this takes {} here\n", about_so_long(seconds));
}

// --save, as typed, of any number of buffers.
LookAtMemory saving(const std::vector<std::string>& texts) {
    std::vector<SavedBuffer> saves;
    for (const std::string& text : texts) saves.push_back(read_saved_buffer(text));
    return [saves](const StageLaunch& launch) {
        for (const SavedBuffer& saved : saves) save_buffer(launch, saved);
    };
}
std::shared_ptr<const std::vector<std::string>> add_saves(EngineCommand& command) {
    auto saves = std::make_shared<std::vector<std::string>>();
    command
        .add_option(
            "--save", *saves,
            "NAME=FILE: writes what the launch leaves in the buffer of the parameter NAME; may be "
            "repeated. A FILE that ends in .txt gets numbers, one a line; any other gets its bytes")
        ->allow_extra_args(false);
    return saves;
}

// Each launch of several, then all together.
int trace_launches(const Job& job, const std::vector<Analysis>& launches, bool as_json) {
    const Analysis all = in_all(launches);
    if (as_json) {
        Json list = Json::array();
        for (size_t i = 0; i < launches.size(); ++i)
            list.push_back(job_json(launch_of(job, i), launches[i]));
        Json json = trace_json(all);
        json["launches"] = list;
        print_json(json);
    } else {
        print_launches(job, launches);
    }
    return trace_status(all);
}

void print_struct(const JobOptions& options, const std::string& name) {
    Stage stage = own_stage(options.stage);
    std::vector<std::string> folders = options.own.include_folders;
    folders.push_back(stage.path.parent_path().string());
    fmt::print("{}", struct_in_words(with_own_headers(stage.source, folders), name));
}

int trace(const JobOptions& options, int threads, uint64_t blocks,
          const std::vector<std::string>& saves) {
    TimeLimit limit(options.time_limit_s);
    Job job = options.job();
    LookAtMemory save = saving(saves);
    foresee(job, options.time_limit_s, threads, blocks);
    if (!job.own.before.empty())
        return trace_launches(job, analyse_launches(job, threads, nullptr, save), options.json);
    Analysis analysis = analyse(job, threads, nullptr, blocks, save);
    if (options.json)
        print_json(timed_json(job, analysis));
    else
        print_timed(job, analysis);
    return trace_status(analysis);
}

// What the launch is, beside its counts.
std::map<std::string, int64_t, std::less<>> launch_numbers(const Analysis& a) {
    std::map<std::string, int64_t, std::less<>> names = {
        {"findings", static_cast<int64_t>(a.report.findings.size())},
        {"shared_bytes", a.occupancy.shared_bytes_per_block}};
    if (a.occupancy.is_known()) {
        names["registers"] = *a.occupancy.registers_per_thread;
        names["local_bytes"] = a.resources.local_bytes.value_or(0);
        names["blocks_per_sm"] = a.occupancy.blocks_per_sm;
        names["occupancy_percent"] = std::lround(100 * a.occupancy.fraction);
    }
    for (const char* kind : kFindingKinds) names[std::string("findings.") + kind] = 0;
    for (const Finding& finding : a.report.findings) ++names["findings." + finding.kind];
    if (a.has_reference && !a.sample.is_used()) names["correct"] = a.correct;
    return names;
}

constexpr std::string_view kOfPtxas[] = {"registers", "local_bytes", "blocks_per_sm",
                                         "occupancy_percent"};

// Names of an expectation: those of the launch, the counts, knobs and shape of course/query.h, and
// the counts of one source line as line.global_load.sectors and so on.
class Expectation {
  public:
    Expectation(const Analysis& analysis, const std::string& text)
        : analysis_(analysis), text_(text), launch_(launch_numbers(analysis)) {}

    // One that asks for a line's counts has to hold for every line that accesses memory. Gives
    // where it fails, "" of the whole launch.
    std::vector<std::string> failures() {
        std::vector<std::string> places;
        bool holds = evaluate(text_, names(analysis_.report.totals)) != 0;
        if (!asks_for_lines_) return holds ? places : std::vector<std::string>{""};
        for (const LineReport& line : analysis_.report.lines)
            if (evaluate(text_, names(line.counts)) == 0)
                places.push_back(fmt::format(
                    "{}:{}", std::filesystem::path(line.file).filename().string(), line.line));
        return places;
    }

  private:
    NameLookup names(const Counts& of_line) {
        auto lookup = [&](const Counts& counts) {
            return counts_lookup(counts, analysis_.knobs, analysis_.rows, analysis_.cols,
                                 element_bytes(analysis_.type), analysis_.inner);
        };
        return [this, of_launch = lookup(analysis_.report.totals), of_line = lookup(of_line)](
                   std::string_view name, int64_t& value) {
            auto known = launch_.find(name);
            if (known != launch_.end()) return value = known->second, true;
            if (std::find(std::begin(kOfPtxas), std::end(kOfPtxas), name) != std::end(kOfPtxas))
                throw Error(Status::bad_input,
                            fmt::format("{} is {}, which {} does without; leave it out, or choose "
                                        "--compiler nvrtc or shipped",
                                        name, kNotKnown, analysis_.compiler));
            constexpr std::string_view kLine = "line.";
            bool of_matrix = name == "rows" || name == "cols" || name == "element_bytes";
            if (!analysis_.has_reference && of_matrix)
                return false;  // a kernel of the user's own has none
            if (name == "correct" && analysis_.sample.is_used())
                throw Error(
                    Status::bad_input,
                    "some blocks do not tell whether all is correct; leave out \"correct\": "
                    "a wrong element fails the check anyway, or ask for --blocks all");
            if (!name.starts_with(kLine)) return of_launch(name, value);
            asks_for_lines_ = true;
            std::string_view count = name.substr(kLine.size());
            return count.find('.') != count.npos && of_line(count, value);
        };
    }

    const Analysis& analysis_;
    const std::string& text_;
    std::map<std::string, int64_t, std::less<>> launch_;
    bool asks_for_lines_ = false;
};

int check_kernel(const JobOptions& options, const std::vector<std::string>& expectations, uint64_t blocks,
                 const std::vector<std::string>& saves) {
    TimeLimit limit(options.time_limit_s);
    Job job = options.job();
    LookAtMemory save = saving(saves);
    foresee(job, options.time_limit_s, 0, blocks);
    const bool several = !job.own.before.empty();
    Analysis analysis = several ? in_all(analyse_launches(job, 0, nullptr, save))
                                : analyse(job, 0, nullptr, blocks, save);
    int status = trace_status(analysis);
    Json results = Json::array();
    for (const std::string& expectation : expectations) {
        std::vector<std::string> failures = Expectation(analysis, expectation).failures();
        bool holds = failures.empty();
        if (!holds) status = static_cast<int>(Status::failed_check);
        std::erase(failures, "");
        results.push_back({{"expect", expectation}, {"holds", holds}, {"lines", failures}});
        if (options.json) continue;
        fmt::print("{}  {}{}{}\n", holds ? "ok    " : "failed", expectation,
                   failures.empty() ? "" : "   at ", fmt::join(failures, ", "));
    }
    if (options.json) {
        Json json = timed_json(job, analysis);
        json["expectations"] = results;
        print_json(json);
    } else if (status != 0) {
        print_timed(job, analysis);
    } else if (analysis.sample.is_used()) {
        fmt::print("ok      {}\n", in_words(analysis.sample));
    } else if (expectations.empty()) {
        fmt::print("ok      {}nothing was found\n",
                   analysis.has_reference ? "every element is right, and " : "");
    }
    return status;
}

}  // namespace

static void add_stages(EngineCommand& app, int&) {
    auto* command = app.add_subcommand("stages", "list the stages");
    auto as_json = std::make_shared<bool>(false);
    command->add_flag("--json", *as_json, "print one JSON array");
    command->callback([as_json] { print_stages(*as_json); });
}
static const CommandRow kStages("stages", "", add_stages);

static void add_trace(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand("trace", "interpret a stage: every access, counted");
    auto options = std::make_shared<JobOptions>();
    auto threads = std::make_shared<int>(0);
    options->add_to(*command);
    command->add_option("--threads", *threads, "interpret on so many threads; 0: all cores")
        ->in_range(0, 1024);
    auto blocks = std::make_shared<uint64_t>(0);
    add_blocks(*command, *blocks);
    auto saves = add_saves(*command);
    auto asked_struct = std::make_shared<std::string>();
    command
        ->add_option("--struct", *asked_struct,
                     "say the layout of a struct of FILE.cu, and what to type for it")
        ->group("Your own kernel");
    command->callback([=, &status] {
        if (!asked_struct->empty()) return print_struct(*options, *asked_struct);
        status = trace(*options, *threads, *blocks, *saves);
    });
}
static const CommandRow kTrace("trace", "stages", add_trace, Compiles::yes);

static void add_check(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand("check", "trace, and hold the counts to expectations");
    auto options = std::make_shared<JobOptions>();
    auto expectations = std::make_shared<std::vector<std::string>>();
    options->add_to(*command);
    command
        ->add_option(
            "--expect", *expectations,
            "e.g. \"shared_load.wavefronts == shared_load.wavefronts_ideal\"; with line. before "
            "a count, of every source line; may be repeated")
        ->allow_extra_args(false);
    auto blocks = std::make_shared<uint64_t>(0);
    add_blocks(*command, *blocks);
    auto saves = add_saves(*command);
    command->callback([=, &status] { status = check_kernel(*options, *expectations, *blocks, *saves); });
}
static const CommandRow kCheck("check", "trace", add_check, Compiles::yes);

}  // namespace lanewise
