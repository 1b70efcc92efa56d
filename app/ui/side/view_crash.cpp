// A run that took its process down: what happened, on which line, and what to do instead.
#include <fmt/format.h>

#include <cctype>

#include "base/text.h"
#include "ui/kit/widgets.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

void draw_cause(App& app, const Finding& finding) {
    gap(6);
    std::string text = finding.line ? fmt::format("Line {}", finding.line) : "Its findings";
    if (button("crash:line", text, {.tooltip = "Go to the line"})) {
        if (finding.line > 0) choose_line(app, finding.line);
        choose_view(app, "code");
    }
    gap(2);
    paragraph(fmt::format("{}. First in block {}, thread {}: so says interpreting the same launch.",
                          finding.message, finding.block, finding.thread),
              kDim);
}

// The interpreter's results stand in every view already: the button goes to where they begin.
void look_in_interpreter(App& app) {
    app.said.error.clear();
    if (app.arrived.crash->finding && app.arrived.crash->finding->line > 0)
        choose_line(app, app.arrived.crash->finding->line);
    choose_view(app, "code");
}

void draw_offer(App& app) {
    gap(8);
    paragraph(
        fmt::format("It has failed {} times in a row. The interpreter shows every access up "
                    "to the fault, and nothing can break it.",
                    app.arrived.crash->in_a_row));
    gap(6);
    if (button("crash:interpret", "Look at it in the interpreter", {.kind = ButtonKind::primary}))
        return look_in_interpreter(app);
    gap(4);
    if (button("crash:run", "Run it all the same", {.enabled = !app.wanted.run_all_the_same}))
        app.wanted.run_all_the_same = true;
}

}  // namespace

void draw_crash(App& app) {
    if (!app.arrived.crash) return;
    begin_card("crash", Ink::bad);
    line("THE LAST RUN ON THE GPU", kCaption);
    gap(4);
    // Its first line: the others are the finding's and the offer's.
    std::string what(lines_of(app.arrived.crash->message)[0]);
    what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
    paragraph(what);
    if (app.arrived.crash->finding)
        draw_cause(app, *app.arrived.crash->finding);
    else
        paragraph("Interpreting the same launch shows no fault, or takes too long.", kDim);
    if (app.arrived.crash->offer_interpreter) draw_offer(app);
    end_card();
    gap(10);
}

}  // namespace lanewise::ui
