// What was tried to make the launch faster, above its issues: a button, then a row for each change,
// the change that is marked, and a button that takes it over.
#include "base/text.h"
#include "ui/desk/fixes.h"
#include "ui/desk/tools.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"

namespace lanewise::ui {
namespace {

constexpr float kWidestFixes = 760;  // points

void draw_button(App& app) {
    if (button("fixes:try", "Try what might make it faster",
               {.kind = ButtonKind::primary,
                .tooltip = "Knobs, padding, a swizzle, unrolled loops, wider loads, histograms in "
                           "shared memory, __restrict__. Each is compiled, held to the same result, "
                           "and timed by the model"}))
        press_try_fixes(app);
}

// The lines of a diff, with a sign in front of each, so that they are told without colour.
void draw_change(const std::string& diff) {
    for (std::string_view text : lines_of(diff)) {
        if (text.empty()) continue;
        TextStyle style = kMono;
        style.ink = text.front() == '+'   ? Ink::good
                    : text.front() == '-' ? Ink::warn
                                          : Ink::text_dim;
        line(text, style);
    }
}

void draw_chosen(App& app, const FixTable& table) {
    const auto at = static_cast<size_t>(app.tools->fixes.chosen);
    if (at >= table.fixes.size() || !table.fixes[at].problem.empty()) return;
    const TableFix& fix = table.fixes[at];
    if (!fix.diff.empty()) {
        gap(6);
        draw_change(fix.diff);
    }
    gap(8);
    const std::string_view words = fix.diff.empty() ? frame_text("Use {}", fix.title)
                                   : app.own        ? "Copy the changed source"
                                                    : "Put it into the editor";
    if (button("fixes:apply", words, {.kind = ButtonKind::primary})) apply_fix(app);
}

void follow_fix(App& app, const std::string& action) {
    int64_t row = 0;
    if (action.starts_with("fix:") && parse_integer(action.substr(4), row))
        choose_fix(app, static_cast<int>(row));
}

}  // namespace

void draw_fixes(App& app) {
    if (!no_fixes(app).empty()) return;
    FixTool& tool = app.tools->fixes;
    if (tries_fixes(app)) {
        line(tool.trying.empty() ? std::string_view("Trying …")
                                 : frame_text("Now {} …", tool.trying),
             kDim);
    } else if (const FixTable* table = tried_fixes(app); !table) {
        if (!tool.failure.empty() && tool.of) paragraph(tool.failure, kDim);
        draw_button(app);
    } else if (table->before_us <= 0) {
        paragraph(table->sentence, kDim);
    } else {
        const float width = std::min(kWidestFixes, available() / look().pixels_per_point());
        const Drawing& drawing =
            laid_out_at(tool.figure, app.revision + tool.moves, width, 0, [&](float points) {
                return fixes_figure(fixes_input(app, points), window_measure());
            });
        follow_fix(app, draw_figure("fixes", drawing));
        draw_chosen(app, *table);
    }
    gap(12);
}

}  // namespace lanewise::ui
