// The pieces of a page: its frame and style, a figure, the counts, the findings, the source.
#include "lab/report/page_parts.h"

#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "figure/drawing/figures.h"
#include "figure/drawing/svg.h"

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
figure svg,figure img{max-width:100%;height:auto;display:block}
figcaption{font-size:13px;margin-top:6px}
@media print{body{font-size:11px}main{max-width:none;padding:0}h2{break-before:page;border:0}
figure,table.source tr{break-inside:avoid}.wide{overflow:visible}
table.source td{white-space:pre-wrap}}
)";

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

}  // namespace

std::string page_html(const std::string& title, const std::string& body) {
    return fmt::format(
               "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
               "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
               "<title>{}</title>\n<style>:root{{{}}}\n"
               "@media (prefers-color-scheme:dark){{:root{{{}}}}}\n@media "
               "print{{:root{{{}}}}}{}</style></head>\n<body><main>\n",
               escaped(title), css_variables(palette("light")), css_variables(palette("dark")),
               css_variables(palette("light")), kStyle) +
           body + "</main></body></html>\n";
}

std::string paragraph(const std::string& text, const char* style) {
    return text.empty() ? "" : fmt::format("<p{}>{}</p>\n", style, escaped(text));
}

std::string number_cell(const std::string& text) {
    return fmt::format("<td class=\"n\">{}</td>", text);
}

std::string figure_html(const ReportFigure& figure) {
    return fmt::format("<figure><div class=\"wide\">{}</div><figcaption>{}</figcaption></figure>\n",
                       svg_for_page(figure.drawing, figure.caption), escaped(figure.caption));
}

Drawing figure_on_file(const ReportFigure& figure) {
    constexpr float kMargin = 16;
    return framed(figure.drawing, kMargin);
}

FigureFiles::FigureFiles(const std::vector<ReportFigure>& figures) {
    std::map<std::string, std::string> name_by_text;
    for (const ReportFigure& figure : figures) {
        const std::string text = svg_for_both_themes(figure_on_file(figure), figure.caption);
        const std::string name = name_by_text.try_emplace(text, figure.file + ".svg").first->second;
        names_[figure.file] = name;
        texts_.try_emplace(name, text);
    }
}

std::string FigureFiles::html(const ReportFigure& figure) const {
    Drawing drawing = figure_on_file(figure);
    std::string caption = escaped(figure.caption);
    return fmt::format(
        "<figure><a href=\"{0}\"><img src=\"{0}\" loading=\"lazy\" width=\"{1:.0f}\" "
        "height=\"{2:.0f}\" alt=\"{3}\"></a><figcaption>{3}</figcaption></figure>\n",
        escaped(names_.at(figure.file)), drawing.width, drawing.height, caption);
}

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

std::string findings_html(const Report& report) {
    std::string items;
    for (const Finding& finding : report.findings)
        items +=
            fmt::format("<li class=\"bad\">{}:{}: {} ({}, block {}, thread {})</li>\n",
                        escaped(finding.file), finding.line, escaped(finding.message),
                        escaped(finding.kind), escaped(finding.block), escaped(finding.thread));
    return items.empty() ? "" : "<h3>Findings</h3><ul>" + items + "</ul>\n";
}

std::string line_id(const Stage& stage, int line) {
    return fmt::format("{}-L{}", stage.path.stem().string(), line);
}

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
        rows += fmt::format("<tr{} id=\"{}\"><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            counts && wasteful(*counts) ? " class=\"hot\"" : "",
                            line_id(entry.stage, number), number,
                            counts ? margin_words(*counts) : "", escaped(text));
    }
    return "<h3>Source</h3><div class=\"wide\"><table class=\"source\"><tbody>\n" + rows +
           "</tbody></table></div>\n<p class=\"dim\">In the margin: what each line cost, computed. "
           "Marked lines move more than they need.</p>\n";
}

}  // namespace lanewise
