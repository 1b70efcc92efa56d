#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ui/code/editor.h"
#include "ui/code/editor_parts.h"
#include "ui/state/edits.h"

namespace lanewise::ui {

namespace {

void find_next(App& app) {
    const std::string& text = app.editing.text;
    size_t found = find_from(text, app.editing.find, app.editing.cursor);
    if (found != std::string::npos) place_cursor(app, found, app.editing.find.size());
}

void draw_find(App& app) {
    text_field("find:text", app.editing.find, 180);
    bool entered = ImGui::IsItemDeactivated() && pressed(Key::enter);
    same_line(6);
    bool there = find_from(app.editing.text, app.editing.find, 0) != std::string::npos;
    if (button("find:next", "Next", {.enabled = there, .tooltip = "Enter"}) || (entered && there))
        find_next(app);
    if (!there && !app.editing.find.empty()) {
        same_line(8);
        line("Not in this source.", kDim);
    }
    gap(4);
}

}  // namespace

void draw_editor_bar(App& app) {
    Editing& editing = app.editing;
    if (button("edit:done", "Done", {.tooltip = "Back to the costs of each line (Ctrl E)"}))
        close_editor(app);
    same_line(4);
    if (button("edit:find", "Find", {.selected = editing.find_open, .tooltip = "Ctrl F"}))
        editing.find_open = !editing.find_open;
    same_line(4);
    bool edited = is_edited(app);
    if (button("edit:changes", "Changes",
               {.selected = editing.show_changes,
                .enabled = edited || editing.show_changes,
                .tooltip = "What differs from the stage as it came"}))
        editing.show_changes = !editing.show_changes;
    same_line(4);
    bool back = !edited && !editing.set_aside.empty();
    if (button("edit:reset", back ? "Take mine back" : "Reset",
               {.enabled = edited || back,
                .tooltip = back ? "Your version again" : "The stage as it came"}))
        reset_edit(app);
    gap(6);
    if (editing.find_open) draw_find(app);
}

float editor_messages_height(const App& app) {
    if (app.arrived.diagnostics.empty() || app.editing.changed) return 0;
    return px(26) * static_cast<float>(std::min<size_t>(app.arrived.diagnostics.size(), 4)) + px(8);
}

void draw_editor_messages(App& app) {
    if (editor_messages_height(app) == 0) return;
    gap(4);
    int left = 4, wanted = 0;
    for (const auto& [number, text] : app.arrived.diagnostics) {
        if (left-- == 0) break;
        std::string first(lines_of(text).empty() ? text : std::string(lines_of(text)[0]));
        if (button(fmt::format("error:{}", number), fmt::format("Line {}: {}", number, first),
                   {.kind = ButtonKind::row, .width = available() / look().pixels_per_point()}))
            wanted = number;
    }
    if (wanted) app.editing.go_to_line = wanted;
}

}  // namespace lanewise::ui
