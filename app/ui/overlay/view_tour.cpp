// The ring around a widget, and the card beside it.
#include <fmt/format.h>

#include <algorithm>

#include "ui/desk/tools.h"
#include "ui/kit/aim.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {
namespace {

constexpr float kCardWidth = 300, kGap = 14;  // points
constexpr int kPatience = 12;  // frames until a widget is taken for missing: columns may be moving

// Beside the box where there is room, else below or above it; inside the screen in any case.
ImVec2 beside(Rect box, ImVec2 size, ImVec2 screen) {
    float gap = px(kGap);
    ImVec2 at;
    if (box.x1 + gap + size.x <= screen.x)
        at = ImVec2(box.x1 + gap, box.y0);
    else if (box.x0 - gap - size.x >= 0)
        at = ImVec2(box.x0 - gap - size.x, box.y0);
    else if (box.y1 + gap + size.y <= screen.y)
        at = ImVec2(box.x0, box.y1 + gap);
    else
        at = ImVec2(box.x0, box.y0 - gap - size.y);
    at.x = std::clamp(at.x, gap / 2, std::max(gap / 2, screen.x - size.x - gap / 2));
    at.y = std::clamp(at.y, gap / 2, std::max(gap / 2, screen.y - size.y - gap / 2));
    return at;
}

void draw_ring(Rect box) {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    float grow = px(4);
    ImVec2 low(box.x0 - grow, box.y0 - grow), high(box.x1 + grow, box.y1 + grow);
    list->AddRect(low, high, color(Ink::accent, 0.35f), px(8), 0, px(7));
    list->AddRect(low, high, color(Ink::accent), px(8), 0, px(3));
}

// As an overlay looks, but not centred.
void begin_card_at(ImVec2 at, ImVec2 size) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(24), px(20)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(10));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::ColorConvertU32ToFloat4(color(Ink::panel)));
    ImGui::Begin("Tour", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
}

// How high the card must be: its text wraps.
float card_height(const TourStep& step, float width) {
    float rows = 1, x = 0;
    std::string text = step.text;
    float space = extent_of(" ", kBody).x;
    for (size_t begin = 0; begin < text.size();) {
        size_t end = std::min(text.find(' ', begin), text.size());
        float word = extent_of(text.substr(begin, end - begin), kBody).x;
        if (x > 0 && x + space + word > width) {
            ++rows;
            x = 0;
        }
        x += (x > 0 ? space : 0) + word;
        begin = end + 1;
    }
    return px(40) + line_height(kDim) + line_height(kStrong) + px(8) + rows * line_height(kBody) +
           px(46);
}

}  // namespace

void draw_tour(App& app) {
    if (!tour_on(app)) return;
    Tour& tour = app.tools->tour;
    if (!aim().found) {
        // A stage without such a thing: on to the next.
        if (++tour.frames_missing > kPatience) step_tour(app, tour.at == 0 ? 1 : tour.direction);
        return;
    }
    if (tour.frames_to_scroll > 0) --tour.frames_to_scroll;
    const TourStep& step = tour.steps[tour.at];
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    Rect box = aim().box;
    draw_ring(box);
    float width = std::min(px(kCardWidth), screen.x - px(16));
    ImVec2 size(width, std::min(card_height(step, width - px(48)), screen.y - px(16)));
    ImVec2 at = beside(box, size, screen);
    begin_card_at(at, size);
    line(fmt::format("{} of {}", tour.at + 1, tour.steps.size()), kDim);
    line(step.title, kStrong);
    gap(4);
    paragraph(step.text);
    gap(10);
    bool last = tour.at + 1 == tour.steps.size();
    int by = 0;
    if (button("tour:next", last ? "Done" : "Next",
               {.kind = ButtonKind::primary, .tooltip = "→ or Space"}))
        by = 1;
    same_line(8);
    if (button("tour:back", "Back", {.enabled = tour.at > 0, .tooltip = "←"})) by = -1;
    same_line(8);
    if (button("tour:end", "End", {.tooltip = "Escape"})) by = 2;
    ImGui::End();
    if (by == 2) return end_tour(app);
    if (by != 0) step_tour(app, by);
}

}  // namespace lanewise::ui
