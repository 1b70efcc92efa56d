// The pieces that the report and the lesson pages are made of, as HTML. Every text is escaped here;
// a page needs no script, follows the reader's light or dark theme, and prints.
// Private to those pages.
#pragma once
#include <string>

#include "lab/report/report.h"
#include "lab/report/report_page.h"

namespace lanewise {

// The whole document around its body.
std::string page_html(const std::string& title, const std::string& body);

// "" for an empty text. `style` is put into the tag as it stands: " class=\"dim\"".
std::string paragraph(const std::string& text, const char* style = "");
std::string number_cell(const std::string& text);
// The figure itself; or its file (figure_file()) beside the page, loaded when the reader comes to it.
std::string figure_html(const ReportFigure& figure);
std::string figure_beside_html(const ReportFigure& figure);
std::string figure_file(const ReportFigure& figure);  // "30_padded-banks-1.svg"
Drawing figure_on_file(const ReportFigure& figure);   // as it stands there, with a margin
// Counts of the whole launch beside their ideals.
std::string counts_html(const Analysis& analysis);
// "" where there is none.
std::string findings_html(const Report& report);
// The source below its head, with line numbers as in the file and each line's cost in the margin.
std::string source_html(const ReportStage& entry);
// The id of a source line's row there.
std::string line_id(const Stage& stage, int line);

}  // namespace lanewise
