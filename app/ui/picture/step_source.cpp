// The debugger's source: an arrow where the warp stands, marks where other lanes wait, breakpoints in
// the margin. A click in the margin sets or removes one.
#include <algorithm>
#include <bit>

#include "ui/code/code_panes.h"
#include "ui/instrument/step.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

constexpr float kMargin = 20;  // points: of the breakpoints
constexpr TextStyle kNote{11, Ink::text, Font::text};

// The lanes that stand at the line and are not those that execute.
uint32_t waiting_at(const StepPlace& place, int number) {
    uint32_t lanes = 0;
    for (size_t i = 0; i < place.look.paths.size(); ++i)
        if (place.path_lines[i].first == number) lanes |= place.look.paths[i].lanes;
    return lanes & ~place.look.lanes;
}

bool is_set(App& app, const StepShown& shown, int number) {
    for (const StepBreak& each : shown.breaks)
        if (each.line == number) return true;
    for (const SetBreak& each : breaks_of(app))
        if (each.line == number) return true;
    return false;
}

// A click removes the breakpoint that stops here, wherever it was asked for.
int asked_line(const StepShown& shown, App& app, int number) {
    const std::vector<SetBreak>& breaks = breaks_of(app);
    for (size_t i = 0; i < std::min(shown.breaks.size(), breaks.size()); ++i)
        if (shown.breaks[i].line == number) return breaks[i].line;
    return number;
}

void draw_margin(App& app, const StepTool& tool, int number, float row) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = px(kMargin);
    const bool set = is_set(app, *tool.shown, number);
    const std::vector<int>& lines = tool.shown->code_lines;
    const bool has_code = std::binary_search(lines.begin(), lines.end(), number);
    if (!set && !has_code) return ImGui::Dummy(ImVec2(width, row));
    std::string_view id = frame_text("break:{}", number);
    const bool clicked = ImGui::InvisibleButton(item_id(id), ImVec2(width, row));
    audit().widget(id, {at.x, at.y, at.x + width, at.y + row});
    const bool near = ImGui::IsItemHovered();
    tooltip(set ? "Runs stop here. A click removes the breakpoint."
                : "A click makes runs stop here.");
    const ImVec2 middle(at.x + width / 2, at.y + row / 2);
    if (set)
        ImGui::GetWindowDrawList()->AddCircleFilled(middle, px(near ? 6 : 5), color(Ink::bad));
    else if (near)
        ImGui::GetWindowDrawList()->AddCircle(middle, px(5), color(Ink::bad), 0, px(1));
    if (clicked) toggle_break(app, asked_line(*tool.shown, app, number));
}

// At the right end of a line: which lanes are there.
void draw_lanes_at(std::string_view words, Ink ink, Rect box) {
    const float width = extent_of(words, kNote).x + px(12);
    const Rect tag{box.x1 - width, box.y0 + px(1), box.x1, box.y1 - px(1)};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(tag.x0, tag.y0), ImVec2(tag.x1, tag.y1), color(Ink::background),
                        px(4));
    list->AddRectFilled(ImVec2(tag.x0, tag.y0), ImVec2(tag.x1, tag.y1), color(ink, 0.2f), px(4));
    draw_text(ImVec2(tag.x0 + px(6), tag.y0 + (tag.y1 - tag.y0 - extent_of("X", kNote).y) / 2),
              words, kNote, tag);
}

void draw_arrow(ImVec2 at, float row) {
    const float x = at.x + px(2), y = at.y + row / 2, size = px(5);
    ImGui::GetWindowDrawList()->AddTriangleFilled(ImVec2(x, y - size), ImVec2(x + size, y),
                                                  ImVec2(x, y + size), color(Ink::accent));
}

}  // namespace

float step_source_height(const App& app) {
    int rows = 0;
    for (size_t i = 0; i < app.derived.source.lines.size(); ++i)
        rows += !app.derived.source.folds_away(static_cast<int>(i) + 1);
    return static_cast<float>(rows) * line_height({12, Ink::text, Font::mono}) + px(8);
}

void draw_step_source(App& app, StepTool& tool) {
    const StepPlace& place = *tool.shown->reply.place;
    const float row = line_height({12, Ink::text, Font::mono});
    if (tool.scrolled_to != place.line) tool.frames_to_follow = 3;
    tool.scrolled_to = place.line;
    for (size_t i = 0; i < app.derived.source.lines.size(); ++i) {
        const auto number = static_cast<int>(i) + 1;
        if (app.derived.source.folds_away(number)) continue;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Rect box{at.x, at.y, at.x + available(), at.y + row};
        draw_margin(app, tool, number, row);
        ImGui::SameLine(0, 0);
        const bool here = number == place.line;
        draw_source_lines(app, number, number, here ? number : 0);
        const uint32_t waiting = waiting_at(place, number);
        if (here) {
            draw_arrow(ImVec2(at.x + px(kMargin), at.y), row);
            if (tool.frames_to_follow > 0) ImGui::SetScrollHereY(0.4f);
            const int lanes = std::popcount(place.look.lanes);
            if (place.look.state != WarpLook::State::finished && (lanes != 32 || waiting))
                draw_lanes_at(frame_text("{} {} here", lanes, lanes == 1 ? "lane" : "lanes"),
                              Ink::accent, box);
        } else if (waiting) {
            const int lanes = std::popcount(waiting);
            draw_lanes_at(frame_text("{} {} here", lanes, lanes == 1 ? "lane waits" : "lanes wait"),
                          Ink::warn, box);
        }
    }
    if (tool.frames_to_follow > 0) --tool.frames_to_follow;
}

void draw_step_breaks(App& app, StepTool& tool) {
    std::vector<SetBreak>& breaks = breaks_of(app);
    if (breaks.empty()) return;
    section("BREAKPOINTS");
    size_t removed = breaks.size();
    for (size_t i = 0; i < breaks.size(); ++i) {
        const StepBreak* answered =
            i < tool.shown->breaks.size() ? &tool.shown->breaks[i] : nullptr;
        const int at = answered && answered->line > 0 ? answered->line : breaks[i].line;
        std::string_view words = answered && answered->number > 0
                                     ? frame_text("{}: line {} if", answered->number, at)
                                     : frame_text("line {} if", at);
        const float row = px(26);
        const ImVec2 from = ImGui::GetCursorScreenPos();
        const float wide = extent_of(words, kBody).x;
        draw_text(ImVec2(from.x, from.y + (row - extent_of("X", kBody).y) / 2), words, kBody,
                  {from.x, from.y, from.x + wide + 1, from.y + row});
        ImGui::Dummy(ImVec2(wide, row));
        same_line(8);
        const float room = available() / look().pixels_per_point() - 84;
        text_field(frame_text("break:if:{}", i), breaks[i].condition,
                   std::clamp(room, 60.f, 320.f));
        if (ImGui::IsItemDeactivatedAfterEdit()) wish_step(app, {});
        tooltip("A condition of C, as row == 31 && lane > 16. Empty: always.");
        same_line(6);
        if (button(frame_text("break:remove:{}", i), "Remove")) removed = i;
        if (answered && !answered->error.empty())
            paragraph(answered->error, {12, Ink::bad, Font::text});
        gap(4);
    }
    remove_break(app, removed);
}

}  // namespace lanewise::ui
