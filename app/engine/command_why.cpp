// why: what a launch's time is made of, by the model, each cause in microseconds; and with --try what
// would make it faster. Needs no GPU.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "lab/analysis/launch_timing.h"
#include "lab/job/devices.h"
#include "lab/json/fix_table_json.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

Json json_of(const TimeCauses& causes) {
    const LaunchTime& time = causes.time;
    Json json = {{"card", device_in_use().name},  {"holds", time.holds},
                 {"sentence", time.sentence},     {"time_us", time.time_us},
                 {"low_us", time.low_us},         {"high_us", time.high_us},
                 {"limited_by", time.limited_by}, {"without_us", causes.without_us},
                 {"causes", Json::array()}};
    for (const TimeCause& cause : causes.causes)
        json["causes"].push_back(
            {{"name", cause.name}, {"us", cause.us}, {"line", cause.line}, {"fix", cause.fix}});
    return json;
}

void print(const TimeCauses& causes) {
    const LaunchTime& time = causes.time;
    if (!time.holds) return fmt::print("{}\n", time.sentence);
    fmt::print("{:.2f} us on {}, between {:.2f} and {:.2f}; limited by {}. {}\n\n", time.time_us,
               device_in_use().name, time.low_us, time.high_us, time.limited_by, time.sentence);
    double sum = 0;
    for (const TimeCause& cause : causes.causes) {
        std::string line = cause.line > 0 ? fmt::format("line {}", cause.line) : "";
        fmt::print("{:>9.2f} us  {:<32} {:<9} {}\n", cause.us, cause.name, line, cause.fix);
        sum += cause.us;
    }
    double together = time.time_us - causes.without_us;
    fmt::print("\n{:>9.2f} us  are left without all of them at once.\n", causes.without_us);
    constexpr double kNothing = 0.005;
    if (sum < together - kNothing)
        fmt::print("{:>9.2f} us  go only where several of them go together.\n", together - sum);
    if (sum > together + kNothing)
        fmt::print("{:>9.2f} us  are counted more than once, as causes hide behind each other.\n",
                   sum - together);
}

std::string titles(const FixTable& table) {
    std::string list;
    for (const TableFix& fix : table.fixes)
        if (fix.problem.empty() && !fix.faster) list += (list.empty() ? "" : "; ") + fix.title;
    return list;
}

void print(const FixTable& table) {
    if (table.before_us <= 0)
        return fmt::print("Nothing is tried: there is no time to compare with.\n");
    fmt::print("\nTried, each with the same result as before, by the model on {}:\n", table.card);
    size_t faster = 0, failed = 0;
    for (const TableFix& fix : table.fixes) {
        failed += !fix.problem.empty();
        if (!fix.faster) continue;
        ++faster;
        fmt::print("{:>9.2f} us  {:+5.0f} %  {}\n", fix.time_us,
                   100 * (fix.time_us / table.before_us - 1), fix.title);
        if (faster == 1) fmt::print("{}", fix.diff);
    }
    if (faster == 0) fmt::print("           nothing that was tried is faster.\n");
    const size_t others = table.fixes.size() - faster - failed;
    if (others > 0) fmt::print("           {} not faster: {}\n", others, titles(table));
    for (const TableFix& fix : table.fixes)
        if (!fix.problem.empty())
            fmt::print("           left out: {}: {}\n", fix.title, fix.problem);
}

// The fastest one's source.
void write_fastest(const FixTable& table, const std::string& file) {
    for (const TableFix& fix : table.fixes)
        if (fix.faster && !fix.source.empty()) {
            write_file(file, fix.source);
            return fmt::print(stderr, "{}: {}.\n", file, fix.title);
        }
    throw Error(Status::bad_input, "--apply " + file + ": no change of the source is faster");
}

}  // namespace

static void add_why(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand("why", "what a launch's time is made of, cause by cause");
    auto options = std::make_shared<JobOptions>();
    options->add_to(*command);
    auto tries = std::make_shared<bool>(false);
    auto file = std::make_shared<std::string>();
    command->add_flag("--try", *tries,
                      "also tries what might be faster: knobs, longer rows in shared memory, "
                      "unrolled loops, __restrict__");
    command->add_option("--apply", *file,
                        "writes the source with the fastest change of it to this .cu file");
    command->callback([options, tries, file, &status] {
        const Job job = options->job();
        const TimeCauses causes = causes_of(record_launch(job));
        Json json = json_of(causes);
        if (!options->json) print(causes);
        if (*tries || !file->empty()) {
            const FixTable table = fix_table(job, try_fixes(job));
            if (options->json)
                json["fixes"] = table.fixes;
            else
                print(table);
            if (!file->empty()) write_fastest(table, *file);
        }
        if (options->json) print_json(json);
        status = 0;
    });
}
static const CommandRow kWhy("why", "probe", add_why, Compiles::yes);

}  // namespace lanewise
