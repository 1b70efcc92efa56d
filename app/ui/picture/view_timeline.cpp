// The timeline: all warps of the chosen block beside each other. The wheel brings what is under the
// pointer closer, a drag moves it, a click chooses the access everywhere.
#include <cmath>

#include "ui/code/code_panes.h"
#include "ui/desk/timeline.h"
#include "ui/desk/tools.h"
#include "ui/imgui/pinch.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/look/compact.h"
#include "ui/picture/view_scrub.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr double kNotch = 1.25;      // of the wheel
constexpr float kLeastHeight = 180;  // points: of the figure
constexpr float kCodeUnder = 96;     // of the code below it, where there is room for both
constexpr float kRoomForCode = 520;

bool is_drag() {
    const float dragged = ImGui::GetIO().MouseDragMaxDistanceSqr[0];
    const float least = ImGui::GetIO().MouseDragThreshold;
    return dragged >= least * least;
}

// Of the figure that was drawn last, whose left edge is at `origin`.
// `told`: the pointer's words stand there already.
void steer(App& app, const TimelineFigureInput& input, ImVec2 origin, bool told) {
    const ImGuiIO& io = ImGui::GetIO();
    const float unit = look().pixels_per_point();
    const Point pointer{(io.MousePos.x - origin.x) / unit, (io.MousePos.y - origin.y) / unit};
    if (ImGui::IsItemHovered()) {
        const TimelineSpot spot = timeline_at(input, pointer);
        if (io.MouseWheel != 0)
            zoom_timeline(app, spot.tick, io.MouseWheel > 0 ? 1 / kNotch : kNotch);
        if (const float pinch = take_pinch(); pinch != 0)
            zoom_timeline(app, spot.tick, std::pow(kNotch, -pinch));
        if (ImGui::IsMouseDoubleClicked(0)) show_whole_timeline(app);
        if (spot.segment) {
            app.sight.hovered_line = spot.segment->step.line;
            if (!told)
                show_tooltip(kept_text(words_of(*spot.segment, static_cast<uint32_t>(spot.warp))));
        }
    }
    if (ImGui::IsItemActive() && is_drag())
        drag_timeline(app, ticks_per_point(input) * static_cast<double>(io.MouseDelta.x / unit));
}

// A click on a segment that is too narrow for a hit box of its own.
std::string narrow_hit(const TimelineFigureInput& input, ImVec2 origin) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float unit = look().pixels_per_point();
    const TimelineSpot spot =
        timeline_at(input, {(mouse.x - origin.x) / unit, (mouse.y - origin.y) / unit});
    if (!spot.segment) return "";
    return "moment:" + std::to_string(spot.warp) + ":" + std::to_string(spot.segment->index);
}

void draw_tools(App& app, const TimelineTool& tool) {
    line(frame_text("Block {}, {} ticks", app.chosen().block, tool.timeline.ticks), kDim);
    same_line(10);
    draw_play(app);
    same_line(6);
    if (button("timeline:all", "All of it",
               {.enabled = tool.shown.to > tool.shown.from,
                .tooltip = "Shows all ticks again  (double click)\nThe wheel brings what is under "
                           "the pointer closer, a drag moves it."}))
        show_whole_timeline(app);
    same_line(6);
    draw_save_button(app, PictureOf::view, "timeline:save");
    draw_save_panel(app, PictureOf::view);
    gap(6);
}

}  // namespace

void draw_timeline(App& app) {
    if (!app.arrived.picture) return;
    TimelineTool& tool = timeline_of(app);
    constexpr float kHighEnough = 960;  // in Learn the picture comes first
    const bool alone = app.tools->presenter.on || is_compact() ||
                       (is_learning(app) && window_points() < kHighEnough);
    if (!alone) draw_tools(app, tool);
    const float unit = look().pixels_per_point();
    const float room = ImGui::GetContentRegionAvail().y / unit - 4;
    const bool with_code = !alone && !is_learning(app) && room >= kRoomForCode;
    const float height = std::floor(std::max(kLeastHeight, room - (with_code ? kCodeUnder : 0)));
    const float width = available() / unit;
    // Both counts only grow, so that their sum changes with either.
    const uint64_t revision = app.revision + app.scrub.moves + tool.moves;
    const Drawing& drawing = laid_out_at(tool.figure, revision, width, height, [&](float points) {
        return timeline_figure(timeline_input(app, points, height), window_measure());
    });
    const TimelineFigureInput input = timeline_input(app, width, height);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    std::string under;
    std::string action = draw_figure("timeline", drawing, kAtRest, &under);
    const bool clicked = ImGui::IsItemHovered() && ImGui::IsMouseReleased(0) && !is_drag();
    if (action.empty() && clicked) action = narrow_hit(input, origin);
    steer(app, input, origin, !under.empty());
    if (!is_drag()) follow_timeline(app, action);
    if (with_code) draw_access_code(app);
}

}  // namespace lanewise::ui
