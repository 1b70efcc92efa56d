// What is shown against the pinned baseline: time, counts, findings; only what differs.
#include <fmt/format.h>

#include "ui/tools.h"
#include "ui/widgets.h"

namespace lanewise::ui {
namespace {

// name at the left, the change at the right, both values below.
void draw_difference(const Difference& each) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = available(), row = line_height(kBody);
    TextStyle change{13, each.ink == Ink::text_dim ? Ink::text_dim : each.ink, Font::bold};
    float x = at.x + width - extent_of(each.change, change).x;
    std::string name = elided(each.name, kBody, x - at.x - px(8));
    draw_text(at, name, kBody, {at.x, at.y, x, at.y + row});
    draw_text(ImVec2(x, at.y), each.change, change, {x, at.y, at.x + width, at.y + row});
    ImGui::Dummy(ImVec2(width, row));
    paragraph(each.before + " → " + each.now, kDim);
    gap(4);
}

}  // namespace

void draw_baseline(App& app) {
    const History& history = app.tools->history;
    if (!history.baseline) return;
    compare_with_baseline(app);
    const Snapshot baseline = *history.baseline;  // a button may unpin it
    section("AGAINST THE BASELINE");
    begin_card("baseline", Ink::accent);
    paragraph(baseline.title, kStrong);
    gap(6);
    const Snapshot& now = history.against.now;
    if (is_same_setting(baseline, now)) {
        paragraph("This is the baseline. Change a knob, the code or the stage to see what differs.",
                  kDim);
    } else if (!now.counted && now.time_us <= 0) {
        line("Counting the whole launch …", kDim);
    } else {
        const Differences& found = history.against.found;
        for (const Difference& each : found.rows) draw_difference(each);
        if (found.equal > 0)
            paragraph(found.equal == 1 ? std::string("1 count is the same.")
                                       : fmt::format("{} counts are the same.", found.equal),
                      kDim);
        if (found.rows.empty() && found.equal == 0)
            paragraph("Nothing of it can be compared: one was timed, the other counted.", kDim);
    }
    gap(6);
    if (button("baseline:show", "Show it", {.tooltip = "All that was chosen then"}))
        show_run(app, baseline);
    same_line();
    if (button("baseline:unpin", "Unpin", {})) unpin_baseline(app);
    end_card();
}

}  // namespace lanewise::ui
