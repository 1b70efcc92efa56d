// The table of measured products: GFLOP/s beside cuBLAS's and the card's peak, and the error.
#include <fmt/format.h>

#include <algorithm>

#include "engine/print.h"
#include "lab/measure/verdict.h"
#include "lab/product/product.h"

namespace lanewise {

namespace {

// 51234 -> "51,234"; the time alone where next to nothing is computed.
std::string speed_text(const Measurement& m) {
    if (is_launch_bound(m) || m.inner == 0) return "-";
    return fmt::format("{:.0f}", gflop_per_s(m));
}

std::string spread_text(const Measurement& m) {
    if (is_launch_bound(m) || m.inner == 0) return "-";
    double scale = gflop_per_s(m) * m.time_us.median;
    return fmt::format("{:.0f} - {:.0f}", scale / m.time_us.p95, scale / m.time_us.p05);
}

std::string of_library(const Measurement& m) {
    const Spread& ratio = m.yardstick.ratio;
    if (ratio.samples == 0) return "no cuBLAS";
    return fmt::format("{:.1f} ({:.1f} - {:.1f})", 100 * ratio.median, 100 * ratio.p05,
                       100 * ratio.p95);
}

std::string of_peak(const Measurement& m) {
    if (is_launch_bound(m) || m.inner == 0 || m.arithmetic.datasheet_gflop_per_s <= 0) return "-";
    return fmt::format("{:.1f}", 100 * gflop_per_s(m) / m.arithmetic.datasheet_gflop_per_s);
}

std::string sizes_and_knobs(const Measurement& m) {
    std::string knobs = knobs_text(m.knobs);
    return fmt::format("{} x {} x {} {}{}{}", m.rows, m.cols, m.inner, m.type,
                       knobs.empty() ? "" : " ", knobs);
}

void print_product(const Measurement& m) {
    fmt::print("{:<28} {:<34} {:>10.1f} {:>8} {:>17} {:>23} {:>9} {:>9}   {}\n", m.stage,
               sizes_and_knobs(m), m.time_us.median, speed_text(m), spread_text(m), of_library(m),
               of_peak(m), number_text(m.error.relative), m.correct ? "correct" : "WRONG");
    if (!m.correct && m.mismatch.count > 0) {
        fmt::print("    {} wrong, the first in row {}, column {}: {} instead of {}\n",
                   m.mismatch.count, m.mismatch.row, m.mismatch.col, m.mismatch.actual,
                   m.mismatch.expected);
        print_pattern(m);
    }
    if (!m.note.empty()) fmt::print("    {}\n", m.note);
}

// What the table's percentages are of: once per shape, type and unit.
void print_yardstick(const Measurement& m) {
    double intensity = flops_of(m.rows, m.cols, m.inner) /
                       bytes_once(m.rows, m.cols, m.inner, element_bytes(m.type));
    fmt::print("{} x {} x {} {}: {:.1f} flops per byte moved once", m.rows, m.cols, m.inner, m.type,
               intensity);
    if (!m.yardstick.samples_us.empty())
        fmt::print("; {} {:.1f} us, {:.0f} GFLOP/s", m.yardstick.kind, m.yardstick.time_us.median,
                   library_gflop_per_s(m));
    if (m.arithmetic.datasheet_gflop_per_s > 0)
        fmt::print("; datasheet of the {} {:.0f} GFLOP/s", m.arithmetic.unit, m.arithmetic.datasheet_gflop_per_s);
    fmt::print("\n");
}

bool same_yardstick(const Measurement& a, const Measurement& b) {
    return a.rows == b.rows && a.cols == b.cols && a.inner == b.inner && a.type == b.type &&
           a.arithmetic.unit == b.arithmetic.unit;
}

}  // namespace

void print_products(const std::vector<Measurement>& products) {
    if (products.empty()) return;
    fmt::print("{:<28} {:<34} {:>10} {:>8} {:>17} {:>23} {:>9} {:>9}   {}\n", "stage", "M x N x K",
               "us", "GFLOP/s", "5th - 95th", "% of cuBLAS (5th - 95th)", "% of peak", "error",
               "result");
    for (const Measurement& m : products) print_product(m);
    fmt::print("\n");
    for (size_t i = 0; i < products.size(); ++i) {
        auto before = products.begin() + static_cast<ptrdiff_t>(i);
        bool is_first = std::none_of(products.begin(), before, [&](const Measurement& m) {
            return same_yardstick(m, products[i]);
        });
        if (is_first) print_yardstick(products[i]);
    }
    const Provenance& p = products.front().provenance;
    fmt::print(
        // words: may stand, because it is a formula
        "{}, driver {}, {}, {}; input: {}; GFLOP/s = 2 M N K / time; error = "
        "||C - ref|| / ||ref||, ref in doubles\n",
        p.card, p.driver, p.compiler, p.date, products.front().input);
    for (size_t i = 1; i < products.size(); ++i) {
        StageComparison step = compare(products[i], products[i - 1]);
        if (step.verdict != StageComparison::Verdict::not_comparable)
            fmt::print("{}: {}\n", products[i].title, step.words);
    }
}

}  // namespace lanewise
