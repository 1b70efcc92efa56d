// What the learner's version changes, line by line.
#include "base/line_diff.h"
#include "ui/code/editor_parts.h"
#include "ui/state/edits.h"

namespace lanewise::ui {

namespace {

// Compared anew when the text is another one.
const std::vector<DiffLine>& changes_of(const App& app) {
    static std::string before, after;
    static std::vector<DiffLine> changes;
    if (before == original_source(app) && after == app.editing.text) return changes;
    before = original_source(app);
    after = app.editing.text;
    changes = line_diff(before, after);
    return changes;
}

void draw_change(const DiffLine& change, float height, float width) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    bool added = change.kind == DiffLine::Kind::added;
    bool same = change.kind == DiffLine::Kind::same;
    if (!same)
        ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                                                  color(added ? Ink::good : Ink::bad, 0.14f),
                                                  px(3));
    std::string mark = added ? "+" : same ? " " : "−";
    std::string digits = std::to_string(added || same ? change.after : change.before);
    Rect row{at.x, at.y, at.x + width, at.y + height};
    float y = at.y + (height - extent_of("X", kEditorCode).y) / 2;
    draw_text(ImVec2(at.x + px(30) - extent_of(digits, kEditorNumber).x, y), digits, kEditorNumber,
              row);
    draw_text(ImVec2(at.x + px(38), y), mark, kEditorCode, row);
    TextStyle style = kEditorCode;
    if (same) style.ink = Ink::text_dim;
    draw_text(ImVec2(at.x + px(52), y), elided(change.text, style, width - px(56)), style, row);
    ImGui::Dummy(ImVec2(width, height));
}

}  // namespace

void draw_editor_changes(const App& app) {
    const std::vector<DiffLine>& changes = changes_of(app);
    ImGui::BeginChild("changes", ImVec2(0, 0), false, ImGuiWindowFlags_NoNavInputs);
    float height = line_height(kEditorCode), width = available();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(changes.size()), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            draw_change(changes[static_cast<size_t>(i)], height, width);
    clipper.End();
    ImGui::EndChild();
}

}  // namespace lanewise::ui
