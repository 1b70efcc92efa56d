// why: what a launch's time is made of, by the model, each cause in microseconds; and with --try what
// would make it faster. Needs no GPU.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "engine/commands.h"
#include "engine/options.h"
#include "engine/print.h"
#include "lab/analysis/launch_timing.h"
#include "lab/change/fixes.h"
#include "lab/json/cause_table_json.h"
#include "lab/json/fix_table_json.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

void print_hits(const CauseTable& table) {
    if (table.lines.empty()) return;
    fmt::print("\nLoads find {:.1f} % of their sectors in L1, and {:.1f} % of the others in L2:\n",
               100 * table.l1_hit, 100 * table.l2_hit);
    for (const LineHits& line : table.lines)
        fmt::print("{:>9} {:<5} {:>14} sectors   L1 {:>5.1f} %   L2 {}\n", "line", line.line,
                   with_thousands(static_cast<uint64_t>(line.l1_sectors + 0.5)), 100 * line.l1_hit,
                   line.l2_sectors < 0.5 ? "not asked" : fmt::format("{:>5.1f} %", 100 * line.l2_hit));
}

// The lines at which most of the time passes.
void print_shares(const CauseTable& table) {
    constexpr double kLeast = 0.01;
    std::vector<LineShare> lines;
    for (const LineShare& line : table.time_by_line)
        if (line.share >= kLeast) lines.push_back(line);
    if (lines.empty()) return;
    std::stable_sort(lines.begin(), lines.end(),
                     [](const LineShare& a, const LineShare& b) { return a.share > b.share; });
    fmt::print("\nOf the warps' time, at work and waiting, there passes:\n");
    for (const LineShare& line : lines)
        fmt::print("{:>9.1f} %   at {}:{}\n", 100 * line.share,
                   std::filesystem::path(line.file).filename().string(), line.line);
}

// "31.0 million"
std::string in_millions(double count) {
    return count < 1e6 ? with_thousands(static_cast<uint64_t>(count + 0.5)) : fmt::format("{:.1f} million", count / 1e6);
}

void print(const CauseTable& table) {
    if (!table.holds) return fmt::print("{}\n", table.sentence);
    fmt::print("{:.2f} us on {}{}; limited by {}. {}\n", table.time_us, table.card, range_words(table),
               table.limited_by, table.sentence);
    if (table.instructions > 0)
        fmt::print("Its warps execute {} machine instructions.\n", in_millions(table.instructions));
    fmt::print("\n");
    for (const TimeCause& cause : table.causes) {
        std::string line = cause.line > 0 ? fmt::format("line {}", cause.line) : "";
        fmt::print("{:>9.2f} us  {:<32} {:<9} {}\n", cause.us, cause.name, line, cause.fix);
    }
    fmt::print("\n{:>9.2f} us  are left without all of them at once: {:.2f} that any launch takes, and "
               "{:.2f} that no cause explains.\n",
               table.without_us, table.launch_us, unexplained_us(table));
    constexpr double kNothing = 0.005;
    if (double us = only_together_us(table); us > kNothing)
        fmt::print("{:>9.2f} us  go only where several of them go together.\n", us);
    if (double us = counted_again_us(table); us > kNothing)
        fmt::print("{:>9.2f} us  are counted more than once, as causes hide behind each other.\n", us);
    print_shares(table);
    print_hits(table);
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
                      "also tries what might be faster: knobs, padding, swizzles, unrolled loops, "
                      "wider loads, histograms in shared memory, __restrict__");
    command->add_option("--apply", *file,
                        "writes the source with the fastest change of it to this .cu file");
    command->callback([options, tries, file, &status] {
        const Job job = options->job();
        const CauseTable causes = causes_of(record_launch(job));
        Json json = causes;
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
