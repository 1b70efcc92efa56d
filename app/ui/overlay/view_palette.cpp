// The command palette: a field, and the commands that what is typed in it finds.
#include <algorithm>

#include "ui/desk/overlays.h"
#include "ui/desk/palette.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {
namespace {

constexpr float kHitRow = 28, kGroups = 96;  // points
constexpr float kRoomForGroups = 420;        // the least width that shows them
constexpr TextStyle kFound{13, Ink::accent, Font::bold};

// The title in runs: what was typed in the accent's colour, the rest plainly.
void draw_found(const std::string& title, const std::vector<size_t>& bytes, ImVec2 at, Rect room,
                TextStyle plain) {
    std::string shown = elided(title, kFound, room.x1 - at.x);
    auto found = [&](size_t i) { return std::binary_search(bytes.begin(), bytes.end(), i); };
    for (size_t begin = 0; begin < shown.size();) {
        size_t end = begin + 1;
        while (end < shown.size() && found(end) == found(begin)) ++end;
        std::string run = shown.substr(begin, end - begin);
        TextStyle style = found(begin) ? kFound : plain;
        draw_text(at, run, style, room);
        at.x += extent_of(run, style).x;
        begin = end;
    }
}

void draw_hit(App& app, int index) {
    CommandPalette& palette = app.tools->palette;
    const CommandPalette::Hit& hit = palette.hits[static_cast<size_t>(index)];
    const Command& command = palette.all[hit.command];
    bool selected = index == palette.selected;
    float width = available();
    ImVec2 at = ImGui::GetCursorScreenPos();
    if (button("command:" + command.id, "",
               {.kind = ButtonKind::row,
                .selected = selected,
                .width = width / look().pixels_per_point(),
                .tooltip = command.problem})) {
        palette.selected = index;
        accept_palette(app, index);
        return;
    }
    float y = at.y + (px(kHitRow) - extent_of("X", kBody).y) / 2;
    Rect row{at.x + px(8), at.y, at.x + width - px(8), at.y + px(kHitRow)};
    std::string keys = command.chosen ? "now" : command.keys;
    if (!keys.empty()) {
        TextStyle style = command.chosen ? kDim : TextStyle{12, Ink::text_dim, Font::mono};
        float x = row.x1 - extent_of(keys, style).x;
        draw_text(ImVec2(x, y), keys, style, row);
        row.x1 = x - px(12);
    }
    float x = row.x0;
    if (width >= px(kRoomForGroups)) {
        std::string group = elided(command.group, kDim, px(kGroups) - px(8));
        draw_text(ImVec2(x, y), group, kDim, {x, row.y0, x + px(kGroups), row.y1});
        x += px(kGroups);
    }
    TextStyle plain = command.problem.empty() ? kBody : TextStyle{13, Ink::text_dim, Font::text};
    draw_found(command.title, hit.bytes, ImVec2(x, y), {x, row.y0, row.x1, row.y1}, plain);
}

// Only the rows in sight are built: there may be hundreds.
void draw_rows(App& app) {
    CommandPalette& palette = app.tools->palette;
    float row = px(kHitRow);
    if (palette.follow) {
        float top = row * static_cast<float>(palette.selected), room = ImGui::GetWindowHeight();
        if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
        if (top + row > ImGui::GetScrollY() + room) ImGui::SetScrollY(top + row - room);
        palette.follow = false;
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(palette.hits.size()), row);
    bool open = true;
    while (clipper.Step())
        for (int i = clipper.DisplayStart; open && i < clipper.DisplayEnd; ++i) {
            draw_hit(app, i);
            open = palette.open;  // else what was chosen may have changed the list
        }
    if (palette.hits.empty()) line("Nothing is called that.", kDim);
}

}  // namespace

void draw_palette(App& app) {
    CommandPalette& palette = app.tools->palette;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float width = std::min(px(640), screen.x - px(32));
    float height = std::min(px(480), screen.y - px(32));
    begin_overlay("Commands", width, height, palette.focus_wanted);
    ImGui::PushID(palette.generation);
    if (palette.focus_wanted) focus_text_box(item_id("palette"));
    palette.focus_wanted = false;
    bool changed = text_field("palette", palette.typed, 0);
    ImGui::PopID();
    if (changed) palette_typed(app);
    gap(8);
    ImGui::BeginChild("commands", ImVec2(0, ImGui::GetContentRegionAvail().y - px(28)), false,
                      ImGuiWindowFlags_NoNavInputs);
    draw_rows(app);
    ImGui::EndChild();
    gap(8);
    line(
        "Type a few letters, a size like 1000x50, or a link; ↑ ↓ choose, Enter does it, Escape "
        "closes",
        kDim);
    ImGui::End();
}

}  // namespace lanewise::ui
