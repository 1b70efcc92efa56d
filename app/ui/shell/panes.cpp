#include "ui/shell/panes.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ui/desk/keys.h"
#include "ui/desk/share.h"
#include "ui/desk/tools.h"
#include "ui/instrument/panes.h"
#include "ui/kit/widgets.h"
#include "ui/path/predict_first.h"
#include "ui/plain/frame_text.h"
#include "ui/shell/column.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kRail = 56, kRailItem = 52, kIcon = 20;  // points
constexpr float kSplitter = 7, kHead = 28;
constexpr float kLeastPart = 180;
constexpr const char* kHidden = "It comes with your answer.";
constexpr TextStyle kRailTitle{10, Ink::text, Font::text};
constexpr TextStyle kRailOpen{10, Ink::text, Font::bold};

// ---- the rail

bool draw_rail_button(std::string_view id, std::string_view title, std::string_view hint, Icon icon,
                      bool open, float height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = px(kRail);
    const Rect box{at.x, at.y, at.x + width, at.y + height};
    const bool pressed = ImGui::Button(item_id(id), ImVec2(width, height));
    audit().widget(id, box);
    tooltip(hint);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (open || ImGui::IsItemHovered())
        list->AddRectFilled(ImVec2(box.x0 + px(4), box.y0 + px(2)),
                            ImVec2(box.x1 - px(4), box.y1 - px(2)),
                            color(open ? Ink::accent : Ink::text, open ? 0.12f : 0.06f), px(6));
    if (open)
        list->AddRectFilled(ImVec2(box.x0, box.y0 + px(8)), ImVec2(box.x0 + px(3), box.y1 - px(8)),
                            color(Ink::accent), px(1));
    const TextStyle style = open ? kRailOpen : kRailTitle;
    draw_icon(*list, icon, ImVec2((box.x0 + box.x1) / 2, box.y0 + height * 0.38f), px(kIcon),
              color(style.ink));
    std::string_view shown = fitted(title, style, width - px(4));
    const float x = box.x0 + (width - extent_of(shown, style).x) / 2;
    draw_text(ImVec2(x, box.y1 - px(18)), shown, style, box);
    return pressed;
}

void draw_rail(App& app) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::ColorConvertU32ToFloat4(color(Ink::panel)));
    ImGui::BeginChild("rail", ImVec2(px(kRail), 0), false, ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleColor();
    const auto count = static_cast<float>(rail_items().size() + named_layouts().size());
    const float room = ImGui::GetContentRegionAvail().y - px(16);
    const float height = std::min(px(kRailItem), std::max(px(36), room / count));
    for (const RailItem& item : rail_items())
        if (draw_rail_button(item.id, item.title, item.hint, item.icon, item.open(app), height))
            item.act(app);
    const float left =
        ImGui::GetContentRegionAvail().y - height * static_cast<float>(named_layouts().size());
    if (left > 0) ImGui::Dummy(ImVec2(1, left));
    for (const NamedLayout& layout : named_layouts())
        if (draw_rail_button(joined("layout:", layout.id), layout.title, layout.hint, Icon::layout,
                             layout_now(app) == &layout, height))
            choose_layout(app, layout.id);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

// ---- splitters

// Between two panes; a drag makes `size`, in points, larger by `sign`. A double click gives it back
// to the window's own choice.
void draw_splitter(const char* id, bool upright, float length, float now, float& size, float sign,
                   float most) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float thick = px(kSplitter);
    const ImVec2 extent = upright ? ImVec2(thick, length) : ImVec2(length, thick);
    ImGui::InvisibleButton(id, extent);
    audit().widget(id, {at.x, at.y, at.x + extent.x, at.y + extent.y});
    const bool held = ImGui::IsItemActive(), near = ImGui::IsItemHovered();
    if (held || near)
        ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    if (near && ImGui::IsMouseDoubleClicked(0)) {
        size = 0;
    } else if (held && ImGui::IsMouseDragging(0, 0)) {
        const ImVec2 by = ImGui::GetIO().MouseDelta;
        const float moved = (upright ? by.x : by.y) / look().pixels_per_point();
        if (moved != 0)
            size = std::clamp(now + sign * moved, kLeastPart, std::max(kLeastPart, most));
    }
    const float middle = (upright ? at.x : at.y) + thick / 2, wide = held || near ? px(3) : px(1);
    const ImVec2 low = upright ? ImVec2(middle - wide / 2, at.y) : ImVec2(at.x, middle - wide / 2);
    const ImVec2 high = upright ? ImVec2(middle + wide / 2, at.y + length)
                                : ImVec2(at.x + length, middle + wide / 2);
    ImGui::GetWindowDrawList()->AddRectFilled(low, high,
                                              color(held || near ? Ink::accent : Ink::border));
}

// ---- panes that show a view of their own

// As if `view` was the chosen one; what a click or a key chooses meanwhile stands.
template <class Act>
void with_view(App& app, const std::string& view, Act act) {
    const std::string tab = app.chosen().tab;
    select(app, [&](Selection& now) { now.tab = view; });
    act();
    if (app.chosen().tab == view) select(app, [&](Selection& now) { now.tab = tab; });
}

void draw_view_in_pane(App& app, const std::string& view) {
    if (answer_is_hidden(app)) return paragraph(kHidden, kDim);
    with_view(app, view, [&] {
        app.tools->in_pane = true;
        draw_chosen_view(app, view);
        app.tools->in_pane = false;
    });
}

// A button of the pane's head, `from_right` of them from its right end.
bool draw_head_button(std::string_view id, std::string_view hint, Icon icon, ImVec2 right,
                      int from_right) {
    const float side = px(kHead - 4);
    const ImVec2 at(right.x - px(kHead) * static_cast<float>(from_right + 1), right.y);
    ImGui::SetCursorScreenPos(at);
    const bool pressed = ImGui::Button(item_id(id), ImVec2(side, side));
    audit().widget(id, {at.x, at.y, at.x + side, at.y + side});
    tooltip(hint);
    draw_icon(*ImGui::GetWindowDrawList(), icon, ImVec2(at.x + side / 2, at.y + side / 2), px(14),
              color(ImGui::IsItemHovered() ? Ink::text : Ink::text_dim));
    return pressed;
}

// What stands in the pane, of `view`: its own view, or the picture that follows the chosen line.
// Returns whether it is to be closed.
bool draw_pane(App& app, const std::string& kept, const std::string& view, ImVec2 size) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(12), px(6)));
    ImGui::BeginChild(item_id(joined("pane:", view)), size, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNavInputs);
    ImGui::PopStyleVar();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = available();
    const View& found = find_view(view);
    const Rect room{at.x, at.y, at.x + width - px(3 * kHead), at.y + px(kHead)};
    draw_text(ImVec2(at.x, at.y + px(4)), fitted(found.title, kCaption, room.x1 - room.x0),
              kCaption, room);
    const ImVec2 right(at.x + width, at.y);
    const bool close =
        draw_head_button(joined("close:", view), "Closes this pane", Icon::close, right, 0);
    if (app.tools->more_windows &&
        draw_head_button(joined("apart:", view), "Moves this pane to a window of its own",
                         Icon::apart, right, 1))
        set_apart(app, kept);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + px(kHead)));
    draw_view_in_pane(app, view);
    ImGui::EndChild();
    return close;
}

// ---- the middle: the chosen view, one beside it, one below both

void draw_upper(App& app, const PaneContents& contents, ImVec2 size) {
    Panes& panes = app.saved.panes;
    const std::string beside = view_beside(app);
    const float unit = look().pixels_per_point(), points = size.x / unit;
    if (beside.empty() || points < 2 * kLeastPart + 200)
        return column(app, Region::picture, "picture", size, Ink::background,
                      [&] { contents.middle(app); });
    const float most = points - kSplitter - 320;
    const float width =
        std::min(panes.beside_width > 0 ? panes.beside_width : points * 0.42f, most);
    const float left = size.x - px(kSplitter) - std::round(width * unit);
    column(app, Region::picture, "picture", ImVec2(left, size.y), Ink::background,
           [&] { contents.middle(app); });
    ImGui::SameLine(0, 0);
    draw_splitter("splitter:beside", true, size.y, width, panes.beside_width, -1, most);
    ImGui::SameLine(0, 0);
    if (draw_pane(app, panes.beside, beside, ImVec2(size.x - left - px(kSplitter), size.y)))
        panes.beside.clear();
}

void draw_middle_panes(App& app, const PaneContents& contents, float width) {
    Panes& panes = app.saved.panes;
    const std::string below = view_below(app);
    const float unit = look().pixels_per_point(), room = ImGui::GetContentRegionAvail().y;
    const float points = room / unit;
    ImGui::BeginChild("middle", ImVec2(width, room), false, ImGuiWindowFlags_NoNavInputs);
    if (below.empty() || points < 2 * kLeastPart + 60) {
        draw_upper(app, contents, ImVec2(width, room));
    } else {
        const float most = points - kSplitter - 240;
        const float height =
            std::min(panes.below_height > 0 ? panes.below_height : points * 0.4f, most);
        const float above = room - px(kSplitter) - std::round(height * unit);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
        ImGui::BeginChild("upper", ImVec2(width, above), false, ImGuiWindowFlags_NoNavInputs);
        ImGui::PopStyleVar();
        draw_upper(app, contents, ImVec2(width, above));
        ImGui::EndChild();
        ImGui::SetCursorPosY(above);
        draw_splitter("splitter:below", false, width, height, panes.below_height, -1, most);
        ImGui::SetCursorPosY(above + px(kSplitter));
        if (draw_pane(app, panes.below, below, ImVec2(width, room - above - px(kSplitter))))
            panes.below.clear();
    }
    ImGui::EndChild();
}

void draw_side(App& app, const PaneContents& contents) {
    const std::string& side = app.saved.panes.side;
    if (side == "files") return contents.files(app);
    if (answer_is_hidden(app)) return paragraph(kHidden, kDim);
    if (side == "issues") {
        line("ISSUES, BY MODELLED TIME", kCaption);
        gap(6);
        if (app.chosen().tab == "issues") return paragraph("They stand in the middle.", kDim);
        return draw_chosen_view(app, "issues");
    }
    line("ACCESSES OF THE WARP", kCaption);
    gap(6);
    for (Space space : {Space::global, Space::shared}) {
        if (app.derived.rows_of[space == Space::shared].empty()) continue;
        section(space == Space::shared ? "SHARED MEMORY" : "GLOBAL MEMORY");
        draw_access_rows(app, space);
    }
}

}  // namespace

void draw_workbench(App& app, const PaneContents& contents) {
    Panes& panes = app.saved.panes;
    const float unit = look().pixels_per_point(), whole = ImGui::GetWindowWidth();
    const bool side = !panes.side.empty();
    const float splitters = kSplitter * static_cast<float>(side + panes.setting);
    const float rest = whole / unit - kRail - splitters;
    const PaneWidths widths = pane_widths(panes, rest);
    const float left = px(widths.side), right = px(widths.setting);
    const float middle =
        whole - px(kRail) - left - right - px(kSplitter) * static_cast<float>(side + panes.setting);
    const float height = ImGui::GetContentRegionAvail().y;
    draw_rail(app);
    ImGui::SameLine(0, 0);
    if (side) {
        column(app, Region::course, "course", ImVec2(left, 0), Ink::panel,
               [&] { draw_side(app, contents); });
        ImGui::SameLine(0, 0);
        draw_splitter("splitter:side", true, height, widths.side, panes.side_width, 1,
                      rest - widths.setting - 320);
        ImGui::SameLine(0, 0);
    }
    draw_middle_panes(app, contents, middle);
    if (!panes.setting) return;
    ImGui::SameLine(0, 0);
    draw_splitter("splitter:setting", true, height, widths.setting, panes.setting_width, -1,
                  rest - widths.side - 320);
    ImGui::SameLine(0, 0);
    column(app, Region::controls, "controls", ImVec2(right, 0), Ink::panel,
           [&] { contents.setting(app); });
}

// Its head says what is chosen: who looks at a second screen may not see the first.
static void draw_apart_head(const App& app, const std::string& view) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect room{at.x, at.y, at.x + available(), at.y + px(kHead)};
    std::string_view title = find_view(view).title;
    draw_text(at, fitted(title, kStrong, room.x1 - room.x0), kStrong, room);
    const float begin = at.x + extent_of(title, kStrong).x + px(16);
    const std::string words = setting_in_words(app);
    if (begin < room.x1)
        draw_text(ImVec2(begin, at.y), fitted(words, kDim, room.x1 - begin), kDim, room);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + px(kHead)));
}

void build_apart_interface(App& app) {
    const std::string view = view_apart(app);
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(16), px(12)));
    ImGui::Begin("Apart", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNavInputs);
    ImGui::PopStyleVar();
    with_view(app, view, [&] {
        // The keys mean what is looked at, whichever column of the first window had them last.
        const Region region = std::exchange(app.keyboard.region, Region::picture);
        handle_keys(app);
        if (app.keyboard.region == Region::picture) app.keyboard.region = region;
        draw_apart_head(app, view);
        if (answer_is_hidden(app))
            paragraph(kHidden, kDim);
        else
            draw_chosen_view(app, view);
    });
    ImGui::End();
}

}  // namespace lanewise::ui
