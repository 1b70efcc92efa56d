// The report's table of published figures, each beside ours at the same shape: a card's own copy is
// the common measure of different cards.
#include <fmt/format.h>

#include <algorithm>

#include "figure/drawing/svg.h"
#include "lab/report/report_page.h"

namespace lanewise {
namespace {

// What the same source's copy reached on the same card at the same shape; 0 where it has none.
double copy_of(const std::vector<PublishedFigure>& all, const PublishedFigure& f) {
    for (const PublishedFigure& copy :
         published_for(all, "transpose/00_copy", f.type, f.rows, f.cols))
        if (copy.card == f.card && copy.source_title == f.source_title) return copy.value;
    return 0;
}

std::string rate(double gb_per_s, double copy) {
    if (copy <= 0) return fmt::format("{:.0f}", gb_per_s);
    return fmt::format("{:.0f} ({:.0f} %)", gb_per_s, 100 * gb_per_s / copy);
}

// The sources in the order in which the rows name them, numbered from 1.
class Sources {
  public:
    size_t number_of(const PublishedFigure& f) {
        std::string words = fmt::format("“{}”, {}", f.source_title, f.source);
        auto found = std::find(words_.begin(), words_.end(), words);
        if (found == words_.end()) found = words_.insert(words_.end(), words);
        return static_cast<size_t>(found - words_.begin()) + 1;
    }
    std::string html() const {
        std::string list;
        for (const std::string& words : words_)
            list += fmt::format("<li>{}</li>\n", escaped(words));
        return "<ol class=\"dim\">\n" + list + "</ol>\n";
    }

  private:
    std::vector<std::string> words_;
};

std::string row_of(const ReportInput& input, const ReportStage& entry, const PublishedFigure& f,
                   Sources& sources) {
    const auto& m = entry.measurement;
    return fmt::format(
        "<tr><td class=\"words\">{}<br><span class=\"dim\">{} [{}]</span></td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"words\">{}</td></tr>\n",
        escaped(f.name), escaped(f.card), sources.number_of(f),
        rate(f.value, copy_of(input.published, f)),
        m ? rate(m->gb_per_s, m->yardstick.gb_per_s) : "not measured", escaped(f.caveat));
}

}  // namespace

std::string published_html(const ReportInput& input) {
    std::string rows;
    Sources sources;
    for (const ReportStage& entry : input.stages)
        for (const PublishedFigure& figure :
             published_for(input.published, entry.stage.id, input.type, input.rows, input.cols))
            rows += row_of(input, entry, figure, sources);
    if (rows.empty()) return "";
    return "<h2>Published and measured</h2>\n<div class=\"wide\"><table><thead><tr>"
           "<th>as published, card [source]</th><th class=\"n\">published GB/s</th>"
           "<th class=\"n\">here GB/s</th><th>to know</th></tr></thead><tbody>\n" +
           rows +
           "</tbody><caption>In brackets: of the copy that the same source, or here the same run, "
           "measured. Shares of copy can be compared between cards, GB/s cannot.</caption></table>"
           "</div>\n" +
           sources.html();
}

}  // namespace lanewise
