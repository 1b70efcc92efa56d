// The pieces that the report and the lesson pages are made of, as HTML. Every text is escaped here;
// a page needs no script, follows the reader's light or dark theme, and prints.
// Private to those pages.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "lab/report/report.h"
#include "lab/report/report_page.h"

namespace lanewise {

// The whole document around its body.
std::string page_html(const std::string& title, const std::string& body);

// "" for an empty text. `style` is put into the tag as it stands: " class=\"dim\"".
std::string paragraph(const std::string& text, const char* style = "");
std::string number_cell(const std::string& text);
std::string figure_html(const ReportFigure& figure);  // the figure itself
Drawing figure_on_file(const ReportFigure& figure);   // as it stands in a file, with a margin

// The files of figures beside a page. What looks the same in several stages is one file, which has the first
// one's name: a tile is loaded alike in a dozen of them.
class FigureFiles {
  public:
    explicit FigureFiles(const std::vector<ReportFigure>& figures);
    // Its <figure>, which a browser loads when the reader comes to it.
    std::string html(const ReportFigure& figure) const;
    // SVG by name, "30_padded-shared-load.svg".
    const std::map<std::string, std::string>& texts() const { return texts_; }

  private:
    std::map<std::string, std::string> texts_, names_;  // by name; by the figure's file
};
// Counts of the whole launch beside their ideals.
std::string counts_html(const Analysis& analysis);
// "" where there is none.
std::string findings_html(const Report& report);
// The source below its head, with line numbers as in the file and each line's cost in the margin.
std::string source_html(const ReportStage& entry);
// The id of a source line's row there.
std::string line_id(const Stage& stage, int line);

}  // namespace lanewise
