// What the machine found wrong with the kernel, and what to know of its counts. A click on a
// finding goes to its line.
#include <fmt/format.h>

#include "base/text.h"
#include "ui/instrument/step.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// "out_of_bounds" -> "out of bounds"
std::string_view kind_in_words(std::string_view kind) {
    size_t blank = kind.find('_');
    if (blank == kind.npos) return kind;
    return joined(kind.substr(0, blank), " ", kind_in_words(kind.substr(blank + 1)));
}

void draw_finding(App& app, const Finding& finding, size_t index) {
    std::string_view where =
        finding.line ? frame_text("Line {}", finding.line) : std::string_view("Somewhere");
    std::string_view text = frame_text("{}: {}", where, kind_in_words(finding.kind));
    if (finding.count > 1) text = frame_text("{} × {}", text, with_thousands(finding.count));
    std::string_view place = frame_text("{}\nFirst in block {}, thread {}.", finding.message,
                                        finding.block, finding.thread);
    if (button(frame_text("finding:{}", index), text,
               {.width = available() / look().pixels_per_point(), .tooltip = place}) &&
        finding.line > 0) {
        choose_line(app, finding.line);
        choose_view(app, "code");
    }
    gap(2);
    paragraph(finding.message, {11, Ink::text_dim, Font::text});
    const bool has_moment = finding.line > 0 && !finding.block.empty() && !finding.thread.empty();
    if (has_moment && button(frame_text("finding:how:{}", index), "How did this come about?",
                             {.tooltip = "Steps to the moment before its first thread goes wrong"}))
        show_how(app, fmt::format("block {} thread {} line {}", finding.block, finding.thread,
                                  finding.line));
    gap(6);
}

}  // namespace

void draw_findings(App& app) {
    // The whole launch's where they are known; of a launch that never ends only the block's are.
    std::shared_ptr<const Analysis> analysis =
        app.arrived.analysis ? app.arrived.analysis : app.arrived.sampled;
    std::shared_ptr<const Picture> picture = app.arrived.picture;
    if (!analysis && !picture) return;
    const Report& report = analysis ? analysis->report : picture->report;
    if (!report.findings.empty()) section("FINDINGS");
    for (size_t i = 0; i < report.findings.size(); ++i) draw_finding(app, report.findings[i], i);
    if (analysis && !analysis->notes.empty()) gap(8);
    if (analysis)
        for (const std::string& note : analysis->notes)
            paragraph(note, {11, Ink::text_dim, Font::text});
}

}  // namespace lanewise::ui
