// The code three times over: the source with what each line costs, the PTX that it became, and the
// memory operations of the machine code (SASS) that run. One selection links them; its access is
// the one that the other views show.
#include <algorithm>
#include <cmath>

#include "ui/code/code_panes.h"
#include "ui/code/editor.h"
#include "ui/kit/widgets.h"
#include "ui/state/edits.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

struct Pane {
    const char *id, *tab, *title;
    void (*draw)(App&, CodeFocus&);
};

// The source to read, with what each line costs, or to change.
void draw_edit_button(App& app) {
    if (button("edit:open", is_edited(app) ? "Edit (yours)" : "Edit",
               {.tooltip = "Change the kernel and see at once what becomes of it (Ctrl E)"}))
        open_editor(app);
}

void draw_source(App& app, CodeFocus& focus) {
    if (app.editing.on && !app.own) return draw_editor(app);
    if (!app.own) {
        draw_edit_button(app);
        gap(4);
    }
    draw_source_pane(app, focus);
}

constexpr Pane kPanes[] = {{"pane:source", "Source", "SOURCE", draw_source},
                           {"pane:ptx", "PTX", "PTX, as compiled and interpreted", draw_ptx_pane},
                           {"pane:sass", "SASS", "SASS, the accesses that run", draw_sass_pane}};

// Least sizes in points: of the three beside each other, of the source beside the other two, and of
// the source above them.
constexpr float kThreeWidth = 1400, kBesideWidth = 900, kAboveHeight = 380;
constexpr float kPaneGap = 14;

void draw_pane(App& app, CodeFocus& focus, const Pane& pane, ImVec2 size) {
    ImGui::BeginChild(pane.id, size, false, ImGuiWindowFlags_NoNavInputs);
    line(pane.title, kCaption);
    gap(2);
    pane.draw(app, focus);
    ImGui::EndChild();
}

void draw_three(App& app, CodeFocus& focus, ImVec2 room) {
    float sass = px(290), ptx = (room.x - sass) * 0.36f;
    float widths[] = {room.x - ptx - sass - 2 * px(kPaneGap), ptx, sass};
    for (int i = 0; i < 3; ++i) {
        if (i) same_line(kPaneGap);
        draw_pane(app, focus, kPanes[i], ImVec2(widths[i], room.y));
    }
}

void draw_beside(App& app, CodeFocus& focus, ImVec2 room) {
    float right = std::max(px(330), room.x * 0.36f);
    draw_pane(app, focus, kPanes[0], ImVec2(room.x - right - px(kPaneGap), room.y));
    same_line(kPaneGap);
    ImGui::BeginChild("compiled", ImVec2(right, room.y), false, ImGuiWindowFlags_NoNavInputs);
    // Whole pixels, and never so many that the two would scroll in what holds them.
    float above = std::floor((room.y - px(13) - 2) / 2);
    draw_pane(app, focus, kPanes[1], ImVec2(0, above));
    gap(6);
    rule();
    gap(6);
    draw_pane(app, focus, kPanes[2], ImVec2(0, above));
    ImGui::EndChild();
}

void draw_above(App& app, CodeFocus& focus, ImVec2 room) {
    // Who types wants to see more of the text.
    float above = room.y * (app.editing.on ? 0.66f : 0.56f), half = (room.x - px(kPaneGap)) / 2;
    draw_pane(app, focus, kPanes[0], ImVec2(room.x, above));
    rule();
    gap(6);
    float below = room.y - above - px(6) - 1;
    draw_pane(app, focus, kPanes[1], ImVec2(half, below));
    same_line(kPaneGap);
    draw_pane(app, focus, kPanes[2], ImVec2(half, below));
}

void draw_one(App& app, CodeFocus& focus) {
    for (int i = 0; i < 3; ++i) {
        if (i) same_line(4);
        if (button(kPanes[i].id, kPanes[i].tab,
                   {.kind = ButtonKind::choice, .selected = app.open.code_pane == i}))
            app.open.code_pane = i;
    }
    const bool reads_source = app.open.code_pane == 0 && !app.own && !app.editing.on;
    if (reads_source) {  // in the same row, where there is so little room
        same_line(14);
        draw_edit_button(app);
    }
    gap(6);
    reads_source ? draw_source_pane(app, focus) : kPanes[app.open.code_pane].draw(app, focus);
}

}  // namespace

void draw_code(App& app) {
    CodeFocus focus;
    focus.chosen = highlighted_line(app);
    focus.instruction = chosen_instruction(app, focus.chosen);
    ImVec2 room(available(), ImGui::GetContentRegionAvail().y);
    if (room.x >= px(kThreeWidth))
        draw_three(app, focus, room);
    else if (room.x >= px(kBesideWidth) && room.y >= px(kAboveHeight))
        draw_beside(app, focus, room);
    else if (room.y >= px(kAboveHeight))
        draw_above(app, focus, room);
    else
        draw_one(app, focus);
    app.sight.hovered_line = focus.hovered;
}

}  // namespace lanewise::ui
