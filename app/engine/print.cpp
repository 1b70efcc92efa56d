#include "engine/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "engine/typed_words.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/launches.h"
#include "lab/analysis/prediction.h"
#include "lab/analysis/product_sample.h"
#include "lab/analysis/rate.h"
#include "lab/measure/verdict.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/product/product.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

std::string dim_text(const Dim3& dim) {
    std::string text = fmt::format("{} x {}", dim.x, dim.y);
    return dim.z == 1 ? text : text + fmt::format(" x {}", dim.z);
}

std::string shape_text(int64_t rows, int64_t cols, int64_t batch, const std::string& type) {
    std::string text = fmt::format("{} x {} {}", rows, cols, type);
    return batch == 1 ? text : fmt::format("{} matrices of {}", batch, text);
}

std::string verdict(uint64_t count, uint64_t ideal) {
    if (count <= ideal) return "ideal";
    return fmt::format("{:.1f} x the ideal",
                       static_cast<double>(count) / static_cast<double>(ideal));
}

void print_count(const char* access, uint64_t instructions, uint64_t count, const char* unit,
                 uint64_t ideal) {
    if (instructions == 0) return;
    fmt::print("      {:<13} {:>12} accesses {:>14} {:<10} ideal {:>13}   {}\n", access,
               with_thousands(instructions), with_thousands(count), unit, with_thousands(ideal),
               verdict(count, ideal));
}

void print_counts(const Counts& c) {
    for (auto [name, g] : {std::pair{"global load", &c.global_load},
                           {"global store", &c.global_store},
                           {"atomic", &c.global_atomic},
                           {"reduction", &c.global_reduction}})
        print_count(name, g->instructions, g->sectors, "sectors", g->sectors_ideal);
    const CopyCounts& copy = c.async_copy;
    print_count("async copy", copy.instructions, copy.sectors, "sectors", copy.sectors_ideal);
    print_count("", copy.instructions, copy.wavefronts, "wavefronts", copy.wavefronts_ideal);
    for (auto [name, s] : {std::pair{"shared load", &c.shared_load},
                           {"shared store", &c.shared_store},
                           {"shared atomic", &c.shared_atomic},
                           {"matrix load", &c.matrix_load}})
        print_count(name, s->instructions, s->wavefronts, "wavefronts", s->wavefronts_ideal);
    for (auto [name, b] : {std::pair{"bulk load", &c.bulk_load}, {"bulk store", &c.bulk_store}})
        print_count(name, b->instructions, b->sectors, "sectors", b->sectors_ideal);
}

// Line `line` of the stage's source, or nothing where it is not there.
std::string source_line(const Stage& stage, const std::string& file, int line) {
    auto lines = lines_of(stage.source);
    bool ours = fs::path(file).filename() == stage.file;
    if (!ours || line < 1 || static_cast<size_t>(line) > lines.size()) return {};
    return std::string(lines[static_cast<size_t>(line) - 1]);
}

// "1,0" of "(1,0)"
std::string bare(const std::string& coordinates) {
    return coordinates.substr(1, coordinates.size() - 2);
}

// The command that goes to who wrote the first wrong element.
std::string way_to_mismatch(const Job& job, const Analysis& a) {
    const std::string element = first_wrong_element(job, a);
    return element.empty() ? "" : command_to_step("wrote " + element);
}

void print_finding(const Stage& stage, const Finding& finding) {
    fmt::print("{}:{}:{}: error: {}\n", finding.file, finding.line, finding.column,
               finding.message);
    std::string source = source_line(stage, finding.file, finding.line);
    if (!source.empty()) fmt::print("{}\n", source);
    size_t column = finding.column > 0 ? static_cast<size_t>(finding.column) - 1 : 0;
    fmt::print("{}^  block {}, thread {}; {} in all\n", std::string(column, ' '), finding.block,
               finding.thread, with_thousands(finding.count));
    if (finding.line > 0 && !finding.block.empty() && !finding.thread.empty())
        fmt::print("How it came about: {}\n",
                   command_to_step(fmt::format("block {} thread {} line {}", bare(finding.block),
                                               bare(finding.thread), finding.line)));
    fmt::print("\n");
}

// What was run: the matrix and the knobs, or the arguments.
std::string setting_text(const Job& job, const Analysis& a) {
    if (job.own.is_used() && job.own.arguments.empty()) return "no arguments";
    if (job.own.is_used()) return fmt::format("arguments {}", fmt::join(job.own.arguments, ", "));
    const Operation& operation = operation_of(job.stage);
    if (operation.has_inner())
        return fmt::format("{} {} x {}, {} = {}, {} ({}); {}", operation.buffers.back(), a.rows,
                           a.cols, operation.sides.names.back(), a.inner, a.type, a.input,
                           knobs_text(a.knobs));
    return shape_text(a.rows, a.cols, a.batch, a.type) + "; " + knobs_text(a.knobs);
}

// The first lines that the kernel printed, and who printed them.
void print_printed(const Report& report) {
    constexpr size_t kMostLines = 20;
    if (report.printed_total == 0) return;
    fmt::print("Printed by the kernel:\n");
    size_t shown = std::min(kMostLines, report.printed.size());
    for (size_t i = 0; i < shown; ++i) {
        const Printed& one = report.printed[i];
        fmt::print("block {}, thread {}: {}\n", one.block, one.thread, trimmed(one.text));
    }
    if (report.printed_total > shown)
        fmt::print("… and {} more\n", with_thousands(report.printed_total - shown));
    fmt::print("\n");
}

// How far a product is from the reference in doubles, and how far it may be.
void print_error(const ProductError& error) {
    fmt::print(
        "Error: ||C - ref|| / ||ref|| = {}{}; the worst element is off by {} of |A||B|, "
        "below {}.\n",
        number_text(error.relative),
        error.relative_limit > 0 ? ", below " + number_text(error.relative_limit) : "",
        number_text(error.worst), number_text(error.worst_limit));
}

// The launch is interpreted again for it: results are not kept.
void print_machine_pattern(const Job& job) {
    if (!cannot_map_mismatches(job).empty()) return;
    for (const std::string& words : find_mismatches(job).patterns) fmt::print("  {}\n", words);
}

void print_result(const Job& job, const Analysis& a) {
    auto elements = static_cast<uint64_t>(a.rows) * static_cast<uint64_t>(a.cols) *
                    static_cast<uint64_t>(a.batch);
    for (const std::string& note : a.notes) fmt::print("{}\n", note);
    if (!a.has_reference) return;
    if (operation_of(job.stage).computes) print_error(a.error);
    if (a.correct && a.sample.is_used()) {
        fmt::print("{}\n", in_words(a.sample));
        return;
    }
    if (operation_of(job.stage).one_result) {
        fmt::print("{}: {}\n", a.correct ? "Correct" : "Wrong", result_in_words(a));
        return;
    }
    if (a.correct) {
        fmt::print("Correct: all {} elements are right.\n", with_thousands(elements));
        return;
    }
    if (a.mismatch.count == 0) {
        fmt::print("Wrong as a whole, though no element is beyond its bound.\n");
        return;
    }
    fmt::print(
        "Wrong: {} of {} elements{}; the first in the output's row {}, column {}: {} instead "
        "of {}.\n",
        with_thousands(a.mismatch.count),
        with_thousands(a.sample.is_used() ? a.sample.elements : elements),
        a.sample.is_used() ? " that were computed" : "", a.mismatch.row, a.mismatch.col,
        a.mismatch.actual, a.mismatch.expected);
    if (!a.sample.is_used()) print_machine_pattern(job);
    if (std::string command = way_to_mismatch(job, a); !command.empty())
        fmt::print("How it came about: {}\n", command);
}

}  // namespace

std::string knobs_text(const KnobValues& knobs) {
    std::string text;
    for (const auto& [name, value] : knobs)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

std::string range_words(const CauseTable& table) {
    if (table.high_us <= table.low_us) return "";
    return fmt::format(", between {:.2f} and {:.2f}", table.low_us, table.high_us);
}

static void print_time(const Analysis& a, const CauseTable* causes) {
    const BandwidthPrediction& model = a.prediction;
    if (causes && causes->holds)
        fmt::print("Model of launches, {}: {:.2f} us{}, limited by {}.\n", causes->card,
                   causes->time_us, range_words(*causes), causes->limited_by);
    else if (causes && causes->is_calibrated)
        fmt::print("{}\n", causes->sentence);
    else if (is_launch_bound(model))
        fmt::print("Bandwidth model of {}: {:.1f} us a launch. {}\n", model.device, model.time_us,
                   kLaunchBound);
    else if (model.gb_per_s > 0)
        fmt::print("Bandwidth model of {}: {}, {:.1f} us a launch, limited by {}.\n", model.device,
                   speed_words(model), model.time_us, model.limited_by);
}

void print_analysis(const Job& job, const Analysis& a, const CauseTable* causes) {
    const Occupancy& o = a.occupancy;
    fmt::print("{}  {}\n", a.stage, job.stage.title);
    fmt::print("{}; grid of {} blocks of {} threads\n", setting_text(job, a),
               dim_text(a.launch.grid), dim_text(a.launch.block));
    fmt::print("{}, {} shared memory a block; {}\n\n", registers_in_words(o),
               in_bytes(static_cast<uint64_t>(o.shared_bytes_per_block)), in_words(o));
    for (const LineReport& line : a.report.lines) {
        std::string source = source_line(job.stage, line.file, line.line);
        fmt::print("{:>4} | {}\n", line.line, trimmed(source));
        print_counts(line.counts);
    }
    if (a.sample.is_used())
        fmt::print("\n     Total of {} of {} blocks\n", with_thousands(a.sample.blocks),
                   with_thousands(a.sample.of_blocks));
    else
        fmt::print("\n     Total\n");
    print_counts(a.report.totals);
    fmt::print("\n");
    print_printed(a.report);
    for (const Finding& finding : a.report.findings) print_finding(job.stage, finding);
    print_result(job, a);
    fmt::print("Searched {} of {} blocks for races and uninitialized reads: {} in all.\n",
               with_thousands(a.report.checked_blocks), with_thousands(a.launch.grid.count()),
               counted(a.report.findings.size(), "finding"));
    print_time(a, causes);
    std::string compiled = job.own.ptx.empty() ? fmt::format("in {:.0f} ms", a.compile_ms)
                                               : std::string("before it was given");
    bool has_comma = a.compiler.find(", ") != std::string::npos;  // "NVRTC 13.0, shipped"
    fmt::print("Compiled by {}{} {}, interpreted in {:.0f} ms on {}.\n", a.compiler, has_comma ? "," : "",
               compiled, a.interpret_ms, counted(static_cast<uint64_t>(a.threads), "thread"));
}

void print_launches(const Job& job, const std::vector<Analysis>& launches) {
    const Analysis all = in_all(launches);
    for (size_t i = 0; i < launches.size(); ++i) {
        fmt::print("{}== Launch {} of {}\n", i == 0 ? "" : "\n", i + 1, launches.size());
        print_analysis(launch_of(job, i), launches[i]);
    }
    fmt::print("\n== All {} launches\n", launches.size());
    print_counts(all.report.totals);
    fmt::print("{} warp instructions; {} in all.\n", with_thousands(all.report.warp_instructions),
               counted(all.report.findings.size(), "finding"));
}

// Each stage against the one before it, in the order of the table.
static void print_steps(const std::vector<Measurement>& measurements) {
    for (size_t i = 1; i < measurements.size(); ++i) {
        StageComparison step = compare(measurements[i], measurements[i - 1]);
        if (step.verdict != StageComparison::Verdict::not_comparable)
            fmt::print("{}: {}\n", measurements[i].title, step.words);
    }
}

// The model's prediction beside each measurement, and how far it is off.
static void print_model_errors(const std::vector<Measurement>& measurements) {
    ModelErrors errors = model_errors(measurements);
    if (errors.compared == 0) return;
    fmt::print("\n{:<26} {:<18} {:>10} {:>9} {:>8}\n", "stage", "matrix", "predicted", "measured",
               "error");
    for (const Measurement& m : measurements)
        if (m.predicted_gb_per_s > 0)
            fmt::print("{:<26} {:<18} {:>10.0f} {:>9.0f} {:>+7.1f}%{}\n", m.stage,
                       shape_text(m.rows, m.cols, m.batch, m.type), m.predicted_gb_per_s,
                       m.gb_per_s, 100 * model_error(m), m.beyond_l2 ? "" : "  partly in cache");
    fmt::print("model, beyond the cache: mean error {:.1f} %, worst {:.1f} % ({})\n",
               100 * errors.mean, 100 * errors.worst, errors.worst_at);
}

void print_pattern(const Measurement& m) {
    if (!m.mismatch_map) return;
    for (const std::string& words : m.mismatch_map->patterns) fmt::print("    {}\n", words);
}

void print_measurements(const std::vector<Measurement>& all) {
    std::vector<Measurement> measurements, products;
    for (const Measurement& m : all) {
        bool counts_bytes = operation_of(m).rate == Operation::Rate::bytes;
        (counts_bytes ? measurements : products).push_back(m);
    }
    if (!products.empty()) print_products(products);
    if (measurements.empty() && !products.empty()) return;
    if (!products.empty()) fmt::print("\n");
    fmt::print("{:<26} {:<18} {:>7} {:>15} {:>22} {:>11} {:>7}   {}\n", "stage", "matrix", "GB/s",
               "5th - 95th", "% of copy (5th - 95th)", "% of sheet", "cold", "result");
    for (const Measurement& m : measurements) {
        auto gb_at = [&](double us) { return us > 0 ? m.gb_per_s * m.time_us.median / us : 0; };
        double sheet = m.provenance.datasheet_gb_per_s;
        // Below four times the L2 cache the memory was not asked for everything.
        std::string of_sheet =
            m.beyond_l2 && sheet > 0 ? fmt::format("{:.1f}", 100 * m.gb_per_s / sheet) : "in cache";
        const Spread& ratio = m.yardstick.ratio;
        fmt::print("{:<26} {:<18} {:>7.0f} {:>15} {:>22} {:>11} {:>7.0f}   {}\n", m.stage,
                   shape_text(m.rows, m.cols, m.batch, m.type), m.gb_per_s,
                   fmt::format("{:.0f} - {:.0f}", gb_at(m.time_us.p95), gb_at(m.time_us.p05)),
                   fmt::format("{:.1f} ({:.1f} - {:.1f})", 100 * ratio.median, 100 * ratio.p05,
                               100 * ratio.p95),
                   of_sheet, m.cold.gb_per_s, m.correct ? "correct" : "WRONG");
        print_pattern(m);
        if (!m.note.empty()) fmt::print("    {}\n", m.note);
    }
    if (measurements.empty()) return;
    const Provenance& p = measurements.front().provenance;
    fmt::print("\n{}, driver {}, {}, {}; GB/s count each byte {}\n", p.card, p.driver, p.compiler,
               p.date, operation_of(measurements.front()).counted_once());
    for (const Measurement& m : measurements)
        if (&m == &measurements.front() || m.rows != (&m - 1)->rows || m.cols != (&m - 1)->cols)
            fmt::print("copy at {} x {}: {:.0f} GB/s ({}), cold {:.0f}. {}\n", m.rows, m.cols,
                       m.yardstick.gb_per_s, m.yardstick.kind, m.yardstick.cold.gb_per_s, about_the_cache(m));
    fmt::print("GB/s: back to back. cold: single launches, the L2 cache full of other bytes.\n");
    print_steps(measurements);
    print_model_errors(measurements);
}

static void print_differences(const std::vector<BufferDifference>& buffers) {
    for (const BufferDifference& buffer : buffers) {
        fmt::print("    {:<16} {}[{}]  ", buffer.name, buffer.type, buffer.elements);
        if (buffer.is_equal()) {
            fmt::print("equal, bit for bit\n");
            continue;
        }
        fmt::print("{} differ", with_thousands(buffer.different));
        if (buffer.near > 0)
            fmt::print(", {} of them within {} ulp or as NaNs", with_thousands(buffer.near),
                       kNearUlps);
        fmt::print("; the first at [{}]: {} on the GPU, {} on the machine\n", buffer.first,
                   buffer.gpu, buffer.machine);
    }
}

void print_own_run(const OwnMeasurement& m) {
    fmt::print("{}  {}\n", m.file, m.kernel);
    std::string clusters =
        m.cluster.x == 0 ? "" : ", in clusters of " + dim_text(m.cluster) + " blocks";
    fmt::print("grid of {} blocks of {} threads{}\n\nThe GPU's results beside the machine's:\n",
               dim_text(m.launch.grid), dim_text(m.launch.block), clusters);
    print_differences(m.before);
    if (m.after != m.before && !m.after.empty()) {
        fmt::print("The same once more, after timing:\n");
        print_differences(m.after);
    }
    if (m.findings > 0)
        fmt::print("The machine has {}: see `lanewise-engine trace`.\n",
                   counted(static_cast<uint64_t>(m.findings), "finding"));
    fmt::print("\n");
    if (m.time_us.samples > 0)
        fmt::print("{:.2f} us a launch ({:.2f} - {:.2f} us, 5th - 95th percentile of {} samples)\n",
                   m.time_us.median, m.time_us.p05, m.time_us.p95, m.time_us.samples);
    for (const std::string& note : m.notes) fmt::print("{}\n", note);
    const Provenance& p = m.provenance;
    fmt::print("{}, driver {}, {}, {}\n", p.card, p.driver, p.compiler, p.date);
}

}  // namespace lanewise
