// The report as HTML: a head with the ladder, a summary table, then a section per stage.
#include "lab/report/report_page.h"
#include "lab/analysis/analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "figure/drawing/svg.h"
#include "lab/analysis/prediction.h"
#include "lab/product/product.h"
#include "lab/report/page_parts.h"

namespace lanewise {
namespace {

std::string gb_per_s(double value) {
    return with_thousands(static_cast<uint64_t>(std::max(0.0, value) + 0.5));
}

std::string measured_words(const ReportStage& entry) {
    if (is_product(entry.stage)) return product_words(entry);
    const Measurement& m = *entry.measurement;
    const Provenance& from = m.provenance;
    std::string words = gb_per_s(m.gb_per_s) + " GB/s";
    if (m.time_us.p05 > 0 && m.time_us.p95 > 0)
        words +=
            fmt::format(" (5 to 95 %: {} to {}, {} samples)",
                        gb_per_s(m.gb_per_s * m.time_us.median / m.time_us.p95),
                        gb_per_s(m.gb_per_s * m.time_us.median / m.time_us.p05), m.time_us.samples);
    if (m.yardstick.gb_per_s > 0)
        words += fmt::format(", {:.0f} % of the {} GB/s that {} reached in the same run",
                             100 * m.yardstick.ratio.median, gb_per_s(m.yardstick.gb_per_s), m.yardstick.kind);
    if (m.beyond_l2 && from.datasheet_gb_per_s > 0)
        words += fmt::format(", {:.0f} % of the datasheet's {} GB/s",
                             100 * m.gb_per_s / from.datasheet_gb_per_s,
                             gb_per_s(from.datasheet_gb_per_s));
    words += m.correct ? "; every element verified." : "; the result was WRONG.";
    if (!m.note.empty()) words += " " + m.note;
    return words + fmt::format(" {} on {}, driver {}, {}, {}.",
                               entry.live ? "Measured" : "Recorded", from.card, from.driver,
                               from.compiler, from.date.substr(0, 10));
}

// ---- the summary table

// Only of a measurement on the card that the model is for.
std::string error_of_model(const ReportStage& entry) {
    const BandwidthPrediction& model = entry.analysis.prediction;
    bool comparable = entry.measurement && entry.measurement->gb_per_s > 0 && model.gb_per_s > 0 &&
                      entry.measurement->provenance.card == model.device;
    if (!comparable) return "–";
    return fmt::format("{:+.1f} %", 100 * (model.gb_per_s / entry.measurement->gb_per_s - 1));
}

std::string summary_row(const ReportStage& entry) {
    std::string row =
        fmt::format("<tr><td><a href=\"#{}\">{}</a></td>",
                    escaped(entry.stage.path.stem().string()), escaped(entry.stage.title));
    std::string measured = number_cell(entry.measurement ? gb_per_s(entry.measurement->gb_per_s)
                                                         : std::string("not measured"));
    if (!entry.stage.error.empty())
        return row + fmt::format("<td colspan=\"7\" class=\"bad\">{}</td></tr>\n",
                                 escaped(std::string(lines_of(entry.error)[0])));
    if (!entry.error.empty())
        return row + "<td colspan=\"5\" class=\"dim\">nothing to count</td>" + measured +
               number_cell("–") + "</tr>\n";
    const Counts& counts = entry.analysis.report.totals;
    auto ratio = [](uint64_t a, uint64_t b) {
        return b ? fmt::format("{:.3g}", double(a) / double(b)) : std::string("–");
    };
    uint64_t wavefronts = counts.shared_load.wavefronts + counts.shared_store.wavefronts;
    uint64_t ideal = counts.shared_load.wavefronts_ideal + counts.shared_store.wavefronts_ideal;
    row +=
        entry.analysis.correct ? "<td class=\"good\">correct</td>" : "<td class=\"bad\">wrong</td>";
    row += number_cell(ratio(counts.global_load.sectors, counts.global_load.requests));
    row += number_cell(ratio(counts.global_store.sectors, counts.global_store.requests));
    row += number_cell(ratio(wavefronts, ideal));
    row += number_cell(gb_per_s(entry.analysis.prediction.gb_per_s));
    return row + measured + number_cell(error_of_model(entry)) + "</tr>\n";
}

std::string summary(const ReportInput& input) {
    std::string rows;
    for (const ReportStage& entry : input.stages)
        if (!is_product(entry.stage)) rows += summary_row(entry);
    return "<div class=\"wide\"><table><thead><tr><th>stage</th><th>result</th>"
           "<th class=\"n\">sectors per load</th><th class=\"n\">sectors per store</th>"
           "<th class=\"n\">wavefronts / ideal</th><th class=\"n\">model GB/s</th>"
           "<th class=\"n\">measured GB/s</th><th class=\"n\">model's "
           "error</th></tr></thead><tbody>\n" +
           rows +
           "</tbody><caption>Result, sectors and wavefronts: computed by interpreting every block "
           "of the compiled kernel. Model: the bandwidth model, from those counts and the card's "
           "profile. Measured: see each stage for card and date.</caption></table></div>\n";
}

// ---- one stage

std::string model_html(const ReportStage& entry) {
    const Analysis& analysis = entry.analysis;
    const Occupancy& fit = analysis.occupancy;
    const BandwidthPrediction& model = analysis.prediction;
    std::string html = paragraph(fmt::format(
        "Occupancy: {}; {}, {} of shared memory a block (from the kernel as {} compiled it).",
        in_words(fit), registers_in_words(fit),
        in_bytes(static_cast<uint64_t>(fit.shared_bytes_per_block)), analysis.compiler));
    if (model.gb_per_s <= 0) return html;
    std::string error = error_of_model(entry);
    return html +
           paragraph(fmt::format(
               "Bandwidth model for {}{}: {}, {}{}.", model.device, shape_modelled(entry), speed_words(model),
               is_launch_bound(model) ? "launch-bound" : "limited by " + model.limited_by,
               error == "–" ? "" : "; " + error + " from the measurement"));
}

std::string stage_html(const ReportStage& entry, const std::vector<ReportFigure>& figures,
                       const FigureFiles& files) {
    std::string html =
        fmt::format("<section><h2 id=\"{}\">{}</h2>\n", escaped(entry.stage.path.stem().string()),
                    escaped(entry.stage.title));
    html += paragraph(entry.lesson.aim);
    if (!entry.stage.error.empty())
        return html + "<pre class=\"bad\">" + escaped(entry.error) + "</pre></section>\n";
    html += entry.measurement ? paragraph(measured_words(entry))
                              : paragraph("Not measured at this shape.", " class=\"dim\"");
    if (!entry.error.empty())  // nothing was counted; what was measured stands all the same
        return html + paragraph(entry.error, " class=\"dim\"") + source_html(entry) +
               "</section>\n";
    if (!entry.analysis.correct)
        html += paragraph("Wrong result. " + result_in_words(entry.analysis), " class=\"bad\"");
    if (is_product(entry.stage))
        html += paragraph(
            fmt::format("Counts and pictures: C {0} x {0}, K = {0}.", entry.analysis.rows),
            " class=\"dim\"");
    html += findings_html(entry.analysis.report) + counts_html(entry.analysis) + model_html(entry);
    for (const ReportFigure& figure : figures)
        if (figure.stage == entry.stage.id) html += files.html(figure);
    html += source_html(entry);
    if (!entry.lesson.still_wrong.empty())
        html += paragraph(still_wrong_label(entry.lesson) + ": " + entry.lesson.still_wrong);
    return html + "</section>\n";
}

}  // namespace

std::string html_report(const ReportInput& input) {
    std::vector<ReportFigure> figures = report_figures(input);
    const FigureFiles files(figures);
    std::string html = fmt::format(
        "<h1>The ladder</h1>\n<p class=\"dim\">{} x {} elements, {}, every stage at "
        "its default knobs.</p>\n",
        with_thousands(static_cast<uint64_t>(input.rows)),
        with_thousands(static_cast<uint64_t>(input.cols)), escaped(input.type));
    for (const ReportFigure& figure : figures)
        if (figure.stage.empty()) html += figure_html(figure);
    html += summary(input) + published_html(input) + products_html(input);
    for (const ReportFigure& figure : figures)
        if (figure.stage == kProductCharts) html += figure_html(figure);
    html += published_products_html(input);
    for (const ReportStage& entry : input.stages) html += stage_html(entry, figures, files);
    return page_html("Lanewise: the ladder", html);
}

}  // namespace lanewise
