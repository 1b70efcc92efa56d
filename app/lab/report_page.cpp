// The report as HTML: a head with the ladder, a summary table, then a section per stage.
#include "lab/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "figure/figures.h"
#include "figure/svg.h"

namespace lanewise {
namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;font:15px/1.55 Inter,"DejaVu Sans",system-ui,sans-serif}
body{margin:0;background:var(--background);color:var(--text)}
main{box-sizing:border-box;max-width:932px;margin:0 auto;padding:32px 16px 64px}
h1{font-size:30px;line-height:1.2;margin:0 0 4px}
h2{font-size:22px;line-height:1.3;margin:56px 0 4px;padding-top:16px;border-top:1px solid var(--border)}
h3{font-size:15px;margin:28px 0 6px}
p{margin:6px 0;max-width:72ch}
.dim,figcaption,caption{color:var(--text-dim)}
.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}
a{color:var(--load)}
code,pre,td.n{font-family:"JetBrains Mono","DejaVu Sans Mono",monospace}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:13px;width:100%}
caption{caption-side:bottom;text-align:left;padding-top:6px}
th,td{padding:4px 10px;text-align:left;border-bottom:1px solid var(--grid);white-space:nowrap}
th{font-weight:600;border-bottom-color:var(--border)}
th{white-space:normal;vertical-align:bottom}
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums}
td.words{white-space:normal;min-width:14em}
table.source{font:12px/1.5 "JetBrains Mono","DejaVu Sans Mono",monospace;background:var(--panel)}
table.source td{border:0;padding:0 10px;white-space:pre;vertical-align:top}
table.source td:nth-child(1){color:var(--text-dim);text-align:right}
table.source td:nth-child(2){color:var(--text-dim);text-align:right;border-right:1px solid var(--border)}
table.source td:nth-child(3){width:100%;white-space:pre-wrap}
table.source tr.hot td{background:color-mix(in srgb,var(--accent) 12%,transparent)}
figure{margin:20px 0}
figure svg{max-width:100%;height:auto;display:block}
figcaption{font-size:13px;margin-top:6px}
@media print{body{font-size:11px}main{max-width:none;padding:0}h2{break-before:page;border:0}
figure,table.source tr{break-inside:avoid}.wide{overflow:visible}
table.source td{white-space:pre-wrap}}
)";

// ---- small pieces

std::string paragraph(const std::string& text, const char* style = "") {
    return text.empty() ? "" : fmt::format("<p{}>{}</p>\n", style, escaped(text));
}

std::string gb_per_s(double value) {
    return with_thousands(static_cast<uint64_t>(std::max(0.0, value) + 0.5));
}

std::string number_cell(const std::string& text) {
    return fmt::format("<td class=\"n\">{}</td>", text);
}

std::string figure_html(const ReportFigure& figure) {
    return fmt::format("<figure><div class=\"wide\">{}</div><figcaption>{}</figcaption></figure>\n",
                       svg_for_page(figure.drawing, figure.caption), escaped(figure.caption));
}

std::string measured_words(const ReportStage& entry) {
    const Measurement& m = *entry.measurement;
    const Provenance& from = m.provenance;
    std::string words = gb_per_s(m.gb_per_s) + " GB/s";
    if (m.time_us.p05 > 0 && m.time_us.p95 > 0)
        words +=
            fmt::format(" (5 to 95 %: {} to {}, {} samples)",
                        gb_per_s(m.gb_per_s * m.time_us.median / m.time_us.p95),
                        gb_per_s(m.gb_per_s * m.time_us.median / m.time_us.p05), m.time_us.samples);
    if (m.copy_gb_per_s > 0)
        words += fmt::format(", {:.0f} % of the {} GB/s that {} reached in the same run",
                             100 * m.ratio_to_copy.median, gb_per_s(m.copy_gb_per_s), m.copy_kind);
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

std::string summary_row(const ReportStage& entry) {
    std::string row =
        fmt::format("<tr><td><a href=\"#{}\">{}</a></td>",
                    escaped(entry.stage.path.stem().string()), escaped(entry.stage.title));
    std::string measured = number_cell(entry.measurement ? gb_per_s(entry.measurement->gb_per_s)
                                                         : std::string("not measured"));
    if (!entry.stage.error.empty())
        return row + fmt::format("<td colspan=\"6\" class=\"bad\">{}</td></tr>\n",
                                 escaped(std::string(lines_of(entry.error)[0])));
    if (!entry.error.empty())
        return row + "<td colspan=\"5\" class=\"dim\">nothing to count</td>" + measured + "</tr>\n";
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
    return row + measured + "</tr>\n";
}

std::string summary(const ReportInput& input) {
    std::string rows;
    for (const ReportStage& entry : input.stages) rows += summary_row(entry);
    return "<div class=\"wide\"><table><thead><tr><th>stage</th><th>result</th>"
           "<th class=\"n\">sectors per load</th><th class=\"n\">sectors per store</th>"
           "<th class=\"n\">wavefronts / ideal</th><th class=\"n\">model GB/s</th>"
           "<th class=\"n\">measured GB/s</th></tr></thead><tbody>\n" +
           rows +
           "</tbody><caption>Result, sectors and wavefronts: computed by interpreting every block "
           "of the compiled kernel. Model: from those counts and the card's profile. Measured: "
           "see each stage for card and date.</caption></table></div>\n";
}

// ---- one stage

std::string counts_html(const Analysis& analysis) {
    std::string rows;
    for (const CountRow& row : count_rows(analysis.report.totals)) {
        const char* style = row.counted > row.ideal ? " warn" : "";
        rows +=
            fmt::format("<tr><td>{}</td><td class=\"n{}\">{}</td>{}</tr>\n", escaped(row.name),
                        style, with_thousands(row.counted), number_cell(with_thousands(row.ideal)));
    }
    return fmt::format(
        "<h3>Counts</h3><div class=\"wide\"><table><thead><tr><th></th><th "
        "class=\"n\">computed</th>"
        "<th class=\"n\">ideal</th></tr></thead><tbody>\n{}</tbody><caption>Computed by "
        "interpreting all {} blocks in {:.0f} ms, counted as the hardware counts.</caption></table>"
        "</div>\n",
        rows, with_thousands(analysis.launch.grid.count()), analysis.interpret_ms);
}

std::string model_html(const Analysis& analysis) {
    const Occupancy& fit = analysis.occupancy;
    const BandwidthPrediction& model = analysis.prediction;
    std::string html = paragraph(fmt::format(
        "Occupancy: {} blocks, {} warps per multiprocessor ({:.0f} %), limited by {}; {} registers "
        "a thread, {} of shared memory a block (from the compiled kernel).",
        fit.blocks_per_sm, fit.warps_per_sm, 100 * fit.fraction, fit.limited_by,
        fit.registers_per_thread, in_bytes(static_cast<uint64_t>(fit.shared_bytes_per_block))));
    return html + paragraph(fmt::format("Model for {}: {} GB/s, limited by {}.", model.device,
                                        gb_per_s(model.gb_per_s), model.limited_by));
}

std::string findings_html(const Report& report) {
    std::string items;
    for (const Finding& finding : report.findings)
        items +=
            fmt::format("<li class=\"bad\">{}:{}: {} ({}, block {}, thread {})</li>\n",
                        escaped(finding.file), finding.line, escaped(finding.message),
                        escaped(finding.kind), escaped(finding.block), escaped(finding.thread));
    return items.empty() ? "" : "<h3>Findings</h3><ul>" + items + "</ul>\n";
}

// "2,097,152 + 16,777,216 sectors" where a line loads and stores; likewise wavefronts.
std::string sum_words(uint64_t load, uint64_t store, const char* unit) {
    if (load == 0 && store == 0) return "";
    std::string both = load && store ? with_thousands(load) + " + " + with_thousands(store)
                                     : with_thousands(load + store);
    return both + " " + unit;
}

std::string margin_words(const Counts& c) {
    std::string global = sum_words(c.global_load.sectors, c.global_store.sectors, "sectors");
    std::string shared =
        sum_words(c.shared_load.wavefronts, c.shared_store.wavefronts, "wavefronts");
    return global.empty() || shared.empty() ? global + shared : global + "\n" + shared;
}

bool wasteful(const Counts& c) {
    return c.global_load.sectors > c.global_load.sectors_ideal ||
           c.global_store.sectors > c.global_store.sectors_ideal ||
           c.shared_load.wavefronts > c.shared_load.wavefronts_ideal ||
           c.shared_store.wavefronts > c.shared_store.wavefronts_ideal;
}

// The stage's source below its head, with line numbers as in the file.
std::string source_html(const ReportStage& entry) {
    std::map<int, const Counts*> by_line;
    for (const LineReport& line : entry.analysis.report.lines)
        if (std::string_view(line.file).ends_with(entry.stage.file))
            by_line[line.line] = &line.counts;
    std::string rows;
    bool in_head = trimmed(entry.stage.source).starts_with("/*---");
    int number = 0;
    for (std::string_view text : lines_of(entry.stage.source)) {
        ++number;
        if (in_head) {
            in_head = trimmed(text) != "---*/";
            continue;
        }
        if (rows.empty() && trimmed(text).empty()) continue;
        auto found = by_line.find(number);
        const Counts* counts = found == by_line.end() ? nullptr : found->second;
        rows += fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            counts && wasteful(*counts) ? " class=\"hot\"" : "", number,
                            counts ? margin_words(*counts) : "", escaped(text));
    }
    return "<h3>Source</h3><div class=\"wide\"><table class=\"source\"><tbody>\n" + rows +
           "</tbody></table></div>\n<p class=\"dim\">In the margin: what each line cost, computed. "
           "Marked lines move more than they need.</p>\n";
}

std::string stage_html(const ReportStage& entry, const std::vector<ReportFigure>& figures) {
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
        html +=
            fmt::format("<p class=\"bad\">Wrong result: {} elements, the first at ({}, {}).</p>\n",
                        with_thousands(entry.analysis.mismatch.count), entry.analysis.mismatch.row,
                        entry.analysis.mismatch.col);
    html += findings_html(entry.analysis.report) + counts_html(entry.analysis) +
            model_html(entry.analysis);
    for (const ReportFigure& figure : figures)
        if (figure.stage == entry.stage.id) html += figure_html(figure);
    html += source_html(entry);
    if (!entry.lesson.still_wrong.empty())
        html += paragraph("Still wrong: " + entry.lesson.still_wrong);
    return html + "</section>\n";
}

}  // namespace

std::string html_report(const ReportInput& input) {
    std::vector<ReportFigure> figures = report_figures(input);
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
        "name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n<title>Lanewise: the ladder</title>\n"
        "<style>:root{{{}}}\n@media (prefers-color-scheme:dark){{:root{{{}}}}}\n"
        "@media print{{:root{{{}}}}}{}</style></head>\n<body><main>\n",
        css_variables(palette("light")), css_variables(palette("dark")),
        css_variables(palette("light")), kStyle);
    html += fmt::format(
        "<h1>The ladder</h1>\n<p class=\"dim\">{} x {} elements, {}, every stage at "
        "its default knobs.</p>\n",
        with_thousands(static_cast<uint64_t>(input.rows)),
        with_thousands(static_cast<uint64_t>(input.cols)), escaped(input.type));
    for (const ReportFigure& figure : figures)
        if (figure.stage.empty()) html += figure_html(figure);
    html += summary(input) + published_html(input);
    for (const ReportStage& entry : input.stages) html += stage_html(entry, figures);
    return html + "</main></body></html>\n";
}

}  // namespace lanewise
