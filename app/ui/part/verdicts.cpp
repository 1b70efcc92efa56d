#include "ui/part/verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lab/analysis/analysis.h"
#include "lab/analysis/product_sample.h"
#include "lab/analysis/rate.h"
#include "lab/measure/verdict.h"
#include "lab/product/product.h"

namespace lanewise::ui {
namespace {

using Kind = Verdict::Kind;

// A finding is worth more than the lack of a reference: it is wrong whatever the kernel is for.
Verdict of_the_result(const Analysis& a) {
    if (a.has_reference && !a.correct) return {Kind::bad, "wrong result", result_in_words(a)};
    if (!a.report.findings.empty()) {
        return {Kind::bad, counted(a.report.findings.size(), "finding"),
                a.report.findings[0].message};
    }
    if (!a.has_reference)
        return {Kind::unknown, "not verified",
                "There is no reference for a kernel from outside the catalogue, so nothing says "
                "what its output should be. No fault was found in its accesses."};
    if (a.sample.is_used()) return {Kind::good, kRightInSample, in_words(a.sample)};
    return {Kind::good, "correct", result_in_words(a)};
}

// The lines that make accesses of one kind, the most wasteful first.
std::vector<Verdict::Row> lines_with(const Report& report, bool shared) {
    struct Line {
        uint64_t waste;
        Verdict::Row row;
    };
    std::vector<Line> lines;
    for (const LineReport& line : report.lines) {
        const Counts& c = line.counts;
        uint64_t cost = shared ? c.shared_load.wavefronts + c.shared_store.wavefronts
                               : c.global_load.sectors + c.global_store.sectors;
        uint64_t ideal = shared ? c.shared_load.wavefronts_ideal + c.shared_store.wavefronts_ideal
                                : c.global_load.sectors_ideal + c.global_store.sectors_ideal;
        if (cost == 0) continue;
        lines.push_back({cost - std::min(cost, ideal),
                         {fmt::format("Line {}: {} {}, {} at best", line.line, with_thousands(cost),
                                      shared ? "wavefronts" : "sectors", with_thousands(ideal)),
                          line.line}});
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Line& a, const Line& b) { return a.waste > b.waste; });
    std::vector<Verdict::Row> rows;
    for (Line& line : lines) rows.push_back(std::move(line.row));
    return rows;
}

// How the result was checked, or what speaks against it.
std::vector<Verdict::Row> rows_on_result(const Analysis& a) {
    std::vector<Verdict::Row> rows;
    for (const Finding& f : a.report.findings) rows.push_back({f.message, f.line});
    if (a.has_reference && !a.correct && !operation_of(a).one_result)
        rows.push_back(
            {fmt::format("At row {}, column {} of the output: {} instead of {}", a.mismatch.row,
                         a.mismatch.col, a.mismatch.actual, a.mismatch.expected)});
    if (operation_of(a).computes) {
        rows.push_back({fmt::format(
            "Each element is compared with a sum in doubles, and may be off by {} of |A||B|; the "
            "worst is by {}. Before the launch the output was poisoned.",
            number_text(a.error.worst_limit), number_text(a.error.worst))});
        rows.push_back({fmt::format("‖C − ref‖ / ‖ref‖ is {}{}.", number_text(a.error.relative),
                                    a.error.relative_limit > 0
                                        ? ", and at most " + number_text(a.error.relative_limit)
                                        : "")});
    } else if (a.has_reference)
        rows.push_back({operation_of(a).compared});
    rows.push_back({fmt::format(
        "{} warp instructions were interpreted; {} of {} blocks were "
        "searched for races and unwritten reads too.",
        with_thousands(a.report.warp_instructions), with_thousands(a.report.checked_blocks),
        with_thousands(a.launch.grid.count()))});
    return rows;
}

Verdict of_global(const Counts& t) {
    uint64_t sectors = t.global_load.sectors + t.global_store.sectors;
    uint64_t least = t.global_load.sectors_ideal + t.global_store.sectors_ideal;
    bool good = sectors == least;
    return {good ? Kind::good : Kind::bad, good ? "coalesced" : "not coalesced",
            fmt::format("{} of global memory; {} would do.", counted(sectors, "sector"),
                        with_thousands(least))};
}

Verdict of_shared(const Counts& t) {
    uint64_t waves = t.shared_load.wavefronts + t.shared_store.wavefronts;
    uint64_t fewest = t.shared_load.wavefronts_ideal + t.shared_store.wavefronts_ideal;
    bool good = waves == fewest;
    return {good ? Kind::good : Kind::bad, good ? "conflict-free" : "bank conflicts",
            fmt::format("{} of shared memory; {} would do.", counted(waves, "wavefront"),
                        with_thousands(fewest))};
}

// ---- on the time

std::string speed(double gb_per_s) {
    return with_thousands(static_cast<uint64_t>(gb_per_s + 0.5)) + " GB/s";
}

Verdict wrong_on_gpu(const Measurement& m) {
    Verdict verdict;
    verdict.kind = Kind::bad;
    verdict.word = kWrongOnGpu;
    if (operation_of(m).one_result) {
        verdict.why = fmt::format("On {} the sum is {} instead of {}.", m.provenance.card,
                                  m.mismatch.actual, m.mismatch.expected);
        return verdict;
    }
    verdict.why = fmt::format("{} of the launch on {} {} wrong, first at row {}, column {}.",
                              counted(m.mismatch.count, "element"), m.provenance.card,
                              m.mismatch.count == 1 ? "is" : "are", m.mismatch.row, m.mismatch.col);
    verdict.proof.push_back(
        {fmt::format("At row {}, column {} of the output: {} instead of {}", m.mismatch.row,
                     m.mismatch.col, m.mismatch.actual, m.mismatch.expected)});
    return verdict;
}

Verdict below_peak(const Measurement& m) {
    double peak = m.provenance.datasheet_gb_per_s;
    // What only reads need not turn between reading and writing, as the copy must.
    bool over_copy =
        operation_of(m).writes_all && m.yardstick.gb_per_s > 0 && m.gb_per_s > m.yardstick.gb_per_s;
    bool over_peak = peak > 0 && m.gb_per_s > peak;
    // A matrix that the cache holds may well be faster than the memory.
    bool fault = m.beyond_l2 && (over_copy || over_peak);
    Verdict verdict;
    verdict.kind = fault ? Kind::bad : over_copy || over_peak ? Kind::unknown : Kind::good;
    verdict.word = over_peak ? "above peak" : over_copy ? "above copy" : "below peak";
    verdict.why = fault ? "No kernel moves memory faster than the best copy: the measurement is at "
                          "fault."
                  : verdict.kind == Kind::unknown
                      ? "Faster than the memory: part of this is the cache's."
                      : "The memory can be as fast as that.";
    verdict.proof.push_back({fmt::format("{}: every byte {}, in the median time", speed(m.gb_per_s),
                                         operation_of(m).counted_once())});
    if (m.yardstick.gb_per_s > 0)
        verdict.proof.push_back({fmt::format("{}: the best copy ({}), measured in the same rounds",
                                             speed(m.yardstick.gb_per_s), m.yardstick.kind)});
    if (peak > 0) verdict.proof.push_back({speed(peak) + ": the card's datasheet"});
    return verdict;
}

// A product beside cuBLAS and the unit that multiplies.
Verdict below_unit(const Measurement& m) {
    auto flops = [](double gflop) {
        return with_thousands(static_cast<uint64_t>(gflop + 0.5)) + " GFLOP/s";
    };
    double speed = gflop_per_s(m), peak = m.arithmetic.datasheet_gflop_per_s;
    Verdict verdict;
    verdict.kind = peak <= 0 ? Kind::unknown : speed > peak ? Kind::bad : Kind::good;
    verdict.word = peak > 0 && speed > peak ? "above peak" : "below peak";
    verdict.why = verdict.kind == Kind::bad
                      ? "No kernel computes faster than the unit that computes: the measurement is "
                        "at fault."
                      : "The card can compute as fast as that.";
    verdict.proof.push_back({flops(speed) + ": 2 · M · N · K in the median time"});
    if (!m.yardstick.samples_us.empty())
        verdict.proof.push_back(
            {flops(library_gflop_per_s(m)) + ": " + m.yardstick.kind + ", measured in the same rounds"});
    if (peak > 0) verdict.proof.push_back({flops(peak) + ": the datasheet, " + m.arithmetic.unit});
    return verdict;
}

Verdict out_of_l2(const Measurement& m) {
    Verdict verdict;
    double bytes = m.gb_per_s * m.time_us.median * 1e3;
    verdict.kind = m.beyond_l2 ? Kind::good : Kind::unknown;
    verdict.word = m.beyond_l2 ? "out of L2" : "partly in L2";
    verdict.why = m.beyond_l2 ? "Far more bytes move than the L2 cache holds."
                              : "Below four times the L2 cache this is not the memory's speed.";
    verdict.proof.push_back({fmt::format("{} {}", operation_of(m).moved_are(),
                                         in_bytes(static_cast<uint64_t>(bytes + 0.5)))});
    if (m.provenance.l2_bytes > 0)
        verdict.proof.push_back({fmt::format("L2 cache of {}: {}; four times that is asked for",
                                             m.provenance.card, in_bytes(m.provenance.l2_bytes))});
    if (m.cold.gb_per_s > 0)
        verdict.proof.push_back({speed(m.cold.gb_per_s) + " with a cold cache"});
    return verdict;
}

Verdict distinguishable(const Measurement& m, const Measurement& before,
                        const StageComparison& comparison) {
    bool differs = comparison.verdict != StageComparison::Verdict::indistinguishable;
    const Spread& ratio = comparison.speedup;
    Verdict verdict;
    verdict.kind = differs ? Kind::good : Kind::unknown;
    verdict.word = differs ? "distinguishable" : "indistinguishable";
    verdict.why = comparison.words;
    verdict.proof.push_back(
        {fmt::format("{} rounds, in each of which both were timed", ratio.samples)});
    verdict.proof.push_back({fmt::format(
        "time of “{}” / time of “{}”: median {:.4g}, 90 % of the rounds from {:.4g} to "
        "{:.4g}",
        before.title, m.title, ratio.median, ratio.p05, ratio.p95)});
    verdict.proof.push_back({differs ? "That range does not hold 1." : "That range holds 1."});
    return verdict;
}

}  // namespace

std::vector<Verdict> verdicts(const Analysis& a) {
    const Counts& t = a.report.totals;
    std::vector<Verdict> found{of_the_result(a)};
    found.back().proof = rows_on_result(a);
    if (a.sample.is_used()) return found;  // the counts are not the launch's
    if (t.global_load.instructions + t.global_store.instructions > 0) {
        found.push_back(of_global(t));
        found.back().proof = lines_with(a.report, false);
    }
    if (t.shared_load.instructions + t.shared_store.instructions > 0) {
        found.push_back(of_shared(t));
        found.back().proof = lines_with(a.report, true);
    }
    return found;
}

std::vector<Verdict> verdicts_on_time(const Measurement& m, const Measurement* before) {
    std::vector<Verdict> found;
    if (!m.correct && m.mismatch.count > 0) found.push_back(wrong_on_gpu(m));
    if (m.gb_per_s <= 0) return found;
    if (operation_of(m).rate == Operation::Rate::bytes) {
        found.push_back(below_peak(m));
        found.push_back(out_of_l2(m));
    } else {
        found.push_back(below_unit(m));
    }
    if (!before) return found;
    StageComparison comparison = compare(m, *before);
    if (comparison.verdict != StageComparison::Verdict::not_comparable)
        found.push_back(distinguishable(m, *before, comparison));
    return found;
}

}  // namespace lanewise::ui
