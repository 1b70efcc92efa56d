// What is shown against the pinned baseline, else against the run before: time, counts, findings
// one by one, and what each line costs; of counts and lines only what differs.
#include <algorithm>

#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

std::string spaced(std::string kind) {
    std::replace(kind.begin(), kind.end(), '_', ' ');
    return kind;
}

// At the left of the row that was drawn last: better, worse or neither.
void draw_mark(Ink ink) {
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(low.x, low.y + px(6)),
                                              ImVec2(low.x + px(3), high.y - px(6)), color(ink));
}

// name at the left, the change at the right, both values below.
void draw_difference(const Difference& each) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    float width = available(), row = line_height(kBody);
    TextStyle change{13, each.ink == Ink::text_dim ? Ink::text_dim : each.ink, Font::bold};
    float x = at.x + width - extent_of(each.change, change).x;
    std::string_view name = fitted(each.name, kBody, x - at.x - px(8));
    draw_text(at, name, kBody, {at.x, at.y, x, at.y + row});
    draw_text(ImVec2(x, at.y), each.change, change, {x, at.y, at.x + width, at.y + row});
    ImGui::Dummy(ImVec2(width, row));
    paragraph(joined(each.before, " → ", each.now), kDim);
    gap(4);
}

// "Line 46  32 → 1 wavefronts": what one access of the line costs. A click goes there.
void draw_line_change(App& app, const LineChange& each, size_t index) {
    auto number = [](double value) {
        return value > 0 ? frame_text("{:.3g}", value) : std::string_view("none");
    };
    bool better = each.now < each.before;
    std::string_view where = each.line ? frame_text("Line {}", each.line)
                                       : frame_text("Line {}, gone", each.line_before);
    std::string_view text =
        frame_text("{}   {} → {} {}", where, number(each.before), number(each.now), each.unit);
    std::string_view hint =
        frame_text("{}\n{}, of one access{}", each.text, better ? "Less than before" : "More",
                   each.line && each.line_before && each.line != each.line_before
                       ? frame_text("; it stood in line {}", each.line_before)
                       : std::string_view());
    if (button(frame_text("change:{}", index), text,
               {.kind = ButtonKind::row,
                .enabled = each.line > 0,
                .width = available() / look().pixels_per_point(),
                .tooltip = hint})) {
        choose_line(app, each.line);
        choose_view(app, "code");
    }
    draw_mark(better || each.now == 0 ? Ink::good : Ink::bad);
}

// "new   race, line 46"; the word carries the meaning, the colour repeats it.
void draw_finding_change(App& app, const FindingChange& each, size_t index) {
    using Kind = FindingChange::Kind;
    bool gone = each.kind == Kind::gone;
    const KeptFinding& known = gone ? each.before : each.now;
    std::string_view where = each.kind == Kind::moved
                                 ? frame_text("line {} → {}", each.before.line, each.now.line)
                             : known.line ? frame_text("line {}", known.line)
                                          : std::string_view("somewhere");
    std::string_view count = each.before.count != each.now.count && !gone && each.before.count
                                 ? frame_text(", {} → {} times", each.before.count, each.now.count)
                                 : std::string_view();
    std::string_view text =
        frame_text("{}   {}, {}{}", word_of(each.kind), spaced(known.kind), where, count);
    if (button(frame_text("finding change:{}", index), text,
               {.kind = ButtonKind::row,
                .enabled = !gone && known.line > 0,
                .width = available() / look().pixels_per_point(),
                .tooltip = known.message})) {
        choose_line(app, known.line);
        choose_view(app, "code");
    }
    draw_mark(gone ? Ink::good : each.kind == Kind::appeared ? Ink::bad : Ink::text_dim);
}

void draw_changes(App& app, const Differences& found) {
    if (!found.findings.empty()) {
        gap(4);
        line("FINDINGS", kCaption);
        for (size_t i = 0; i < found.findings.size(); ++i)
            draw_finding_change(app, found.findings[i], i);
    }
    if (found.lines.empty()) return;
    gap(4);
    line("LINE BY LINE, EACH ACCESS", kCaption);
    for (size_t i = 0; i < found.lines.size(); ++i) draw_line_change(app, found.lines[i], i);
}

}  // namespace

void draw_baseline(App& app) {
    if (!compare_with_before(app)) return;
    // By value: a button may unpin the baseline, or choose what changes all of it.
    const auto against = app.tools->history.against;
    const Snapshot &before = against.before, &now = against.now;
    section(against.pinned ? "AGAINST THE BASELINE" : "AGAINST THE RUN BEFORE");
    begin_card("baseline", against.pinned ? Ink::accent : Ink::border);
    paragraph(before.title, kStrong);
    gap(6);
    if (is_same_setting(before, now)) {
        paragraph("This is the baseline. Change a knob, the code or the stage to see what differs.",
                  kDim);
    } else if (!now.counted && now.time_us <= 0) {
        line("Counting the whole launch …", kDim);
    } else {
        const Differences& found = against.found;
        for (const Difference& each : found.rows) draw_difference(each);
        if (found.equal > 0)
            paragraph(found.equal == 1 ? std::string_view("1 count is the same.")
                                       : frame_text("{} counts are the same.", found.equal),
                      kDim);
        if (found.rows.empty() && found.equal == 0)
            paragraph("Nothing of it can be compared: one was timed, the other counted.", kDim);
        draw_changes(app, found);
    }
    gap(6);
    if (button("baseline:show", "Show it", {.tooltip = "All that was chosen then"}))
        show_run(app, before);
    same_line();
    if (against.pinned && button("baseline:unpin", "Unpin", {})) unpin_baseline(app);
    if (!against.pinned &&
        button("baseline:pin", "Pin this", {.tooltip = "Compare with what is shown now  (B)"}))
        pin_baseline(app);
    end_card();
}

}  // namespace lanewise::ui
