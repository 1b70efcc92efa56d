// The products in the report: a table of every shape that was measured, beside cuBLAS.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/text.h"
#include "figure/drawing/svg.h"
#include "lab/product/product.h"
#include "lab/report/page_parts.h"
#include "lab/report/report_page.h"

namespace lanewise {
namespace {

std::string speed_text(const Measurement& m) {
    if (is_launch_bound(m) || m.inner == 0) return "launch-bound";
    return with_thousands(static_cast<uint64_t>(gflop_per_s(m) + 0.5));
}

std::string percent_text(double part, double whole) {
    return whole > 0 ? percent(part / whole) : "–";
}

std::string row_html(const ReportStage& entry, const Measurement& m) {
    std::string row = fmt::format("<tr><td><a href=\"#{}\">{}</a></td><td>{} x {} x {} {}</td>",
                                  escaped(entry.stage.path.stem().string()), escaped(m.title),
                                  m.rows, m.cols, m.inner, m.type);
    row += number_cell(fmt::format("{:.1f}", m.time_us.median)) + number_cell(speed_text(m));
    row += number_cell(m.yardstick.samples_us.empty() ? "–" : percent(m.yardstick.ratio.median));
    row += number_cell(is_launch_bound(m) ? "–"
                                          : percent_text(gflop_per_s(m), m.arithmetic.datasheet_gflop_per_s));
    row += number_cell(number_text(m.error.relative));
    return row + (m.correct ? "<td class=\"good\">correct</td>" : "<td class=\"bad\">wrong</td>") +
           "</tr>\n";
}

}  // namespace

std::string products_html(const ReportInput& input) {
    std::string rows, source;
    bool any = false;
    for (const ReportStage& entry : input.stages) {
        if (!is_product(entry.stage)) continue;
        any = true;
        for (const Measurement& m : entry.sizes) rows += row_html(entry, m);
        if (entry.measurement)
            source = fmt::format(" {} on {}, {}.", entry.live ? "Measured" : "Recorded",
                                 entry.measurement->provenance.card,
                                 entry.measurement->provenance.date.substr(0, 10));
    }
    if (!any) return "";
    std::string html = "<h2 id=\"products\">Products</h2>\n";
    if (rows.empty()) return html + paragraph("No product has been measured.", " class=\"dim\"");
    return html +
           "<div class=\"wide\"><table><thead><tr><th>stage</th><th>M x N x K</th>"
           "<th class=\"n\">µs</th><th class=\"n\">GFLOP/s</th><th class=\"n\">of cuBLAS</th>"
           "<th class=\"n\">of datasheet</th><th class=\"n\">error</th><th>result</th>"
           "</tr></thead><tbody>\n" +
           rows +
           "</tbody><caption>GFLOP/s: 2 M N K over the median time. Of cuBLAS: in the same rounds, "
           "with the same types. Error: ||C - ref|| / ||ref||, against sums in doubles." +
           escaped(source) + "</caption></table></div>\n";
}

std::string published_products_html(const ReportInput& input) {
    std::string rows;
    for (const ReportChart& each : input.product_charts) {
        const auto* pairs = std::get_if<PairsFigureInput>(&each.chart);
        for (size_t i = 0; pairs && i < pairs->rows.size(); ++i) {
            const PairsRow& row = pairs->rows[i];
            rows += fmt::format(
                "<tr><td class=\"words\">{}<br><span class=\"dim\">{}</span></td>"
                "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"words\">{}</td></tr>\n",
                escaped(row.name), escaped(row.of), escaped(row.published_words),
                escaped(row.ours_words), escaped(row.tooltip.substr(0, row.tooltip.find('\n'))));
        }
    }
    if (rows.empty()) return "";
    return "<h2>Products, published and recorded</h2>\n<div class=\"wide\"><table><thead><tr>"
           "<th>product, card</th><th class=\"n\">published</th><th class=\"n\">here</th>"
           "<th>to know</th></tr></thead><tbody>\n" +
           rows +
           "</tbody><caption>Each in the unit it was published in. Here: recorded at the same "
           "shape; where the source names none, the best over cubes of 1,024 and more."
           "</caption></table></div>\n";
}

std::string shape_modelled(const ReportStage& entry) {
    if (!is_product(entry.stage) || !entry.measurement) return "";
    const Measurement& m = *entry.measurement;
    return fmt::format(" at {} x {} x {}", m.rows, m.cols, m.inner);
}

std::string product_words(const ReportStage& entry) {
    const Measurement& m = *entry.measurement;
    const Provenance& from = m.provenance;
    std::string words = fmt::format("{} x {} x {} {}: {:.1f} µs", m.rows, m.cols, m.inner, m.type,
                                    m.time_us.median);
    if (!is_launch_bound(m) && m.inner > 0) words += fmt::format(", {} GFLOP/s", speed_text(m));
    if (!m.yardstick.samples_us.empty())
        words += fmt::format(", {} of {} in the same rounds", percent(m.yardstick.ratio.median),
                             m.yardstick.kind);
    if (m.arithmetic.datasheet_gflop_per_s > 0 && !is_launch_bound(m))
        words += fmt::format(", {} of the datasheet's figure for the {}",
                             percent_text(gflop_per_s(m), m.arithmetic.datasheet_gflop_per_s), m.arithmetic.unit);
    words += m.correct ? "; every element within its bound." : "; the result was WRONG.";
    if (!m.note.empty()) words += " " + m.note;
    return words + fmt::format(" {} on {}, driver {}, {}, {}.",
                               entry.live ? "Measured" : "Recorded", from.card, from.driver,
                               from.compiler, from.date.substr(0, 10));
}

}  // namespace lanewise
