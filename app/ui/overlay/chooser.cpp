// "Open kernel…": folders and .cu files, narrowed by what is typed.
#include <algorithm>

#include "ui/desk/overlays.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {

static void draw_entries(App& app) {
    const Chooser& chooser = app.open.chooser;
    int accepted = -1;
    for (size_t i = 0; i < chooser.entries.size(); ++i) {
        const Chooser::Entry& entry = chooser.entries[i];
        bool selected = static_cast<int>(i) == chooser.selected;
        if (button("entry:" + entry.name, entry.name,
                   {.kind = ButtonKind::row,
                    .selected = selected,
                    .width = available() / look().pixels_per_point()}))
            accepted = static_cast<int>(i);
        if (selected && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
    }
    if (chooser.entries.empty()) line("No folder and no .cu file fits.", kDim);
    if (accepted >= 0) accept_entry(app, accepted);
}

void draw_chooser(App& app) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(600), screen.x - px(32));
    float height = std::min(px(460), screen.y - px(32));
    begin_overlay("Open kernel", width, height, app.open.chooser.focus_wanted);
    line("Open a kernel of your own", kTitle);
    gap(4);
    line(app.open.chooser.folder.string(), kDim);
    gap(6);
    ImGui::PushID(app.open.chooser.generation);
    if (app.open.chooser.focus_wanted) focus_text_box(item_id("chooser"));
    app.open.chooser.focus_wanted = false;
    bool changed = text_field("chooser", app.open.chooser.typed, 0);
    ImGui::PopID();
    if (changed) chooser_typed(app);
    gap(8);
    float foot = px(40);
    ImGui::BeginChild("entries", ImVec2(0, ImGui::GetContentRegionAvail().y - foot), false,
                      ImGuiWindowFlags_NoNavInputs);
    draw_entries(app);
    ImGui::EndChild();
    gap(8);
    if (button("chooser:open", "Open", {.kind = ButtonKind::primary, .tooltip = "Enter"}))
        accept_typed(app);
    same_line(10);
    if (button("chooser:close", "Close", {.tooltip = "Escape"})) app.open.chooser.open = false;
    same_line(12);
    line("Type a name or a path; ↑ ↓ choose, Enter opens", kDim);
    ImGui::End();
}

}  // namespace lanewise::ui
