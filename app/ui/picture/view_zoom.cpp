#include <algorithm>
#include <bit>

#include "figure/access/lane_figure.h"
#include "figure/access/zoom_figure.h"
#include "lab/flow/access_index.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/follow.h"
#include "ui/launch/zoom.h"
#include "ui/picture/word.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"

namespace lanewise::ui {
namespace {

const TracedAccess* shown_access(const App& app) {
    const LifeStep* moment = shown_moment(app);
    if (!moment || moment->access < 0 || !app.arrived.picture) return nullptr;
    return &app.arrived.picture->block.accesses[static_cast<size_t>(moment->access)];
}

void level(App& app, Zoom zoom, const char* id, std::string_view text, const char* hint) {
    if (button(id, text, {.selected = app.chosen().zoom == zoom, .tooltip = hint}))
        choose_zoom(app, zoom);
}

void then() {
    same_line(5);
    word("›", kDim);
    same_line(5);
}

Drawing drawing_of_lane(const App& app, float width) {
    const Picture& picture = *app.arrived.picture;
    const LifeStep* moment = shown_moment(app);
    LaneFigureInput input;
    input.block = &picture.block;
    input.report = &picture.report;
    input.access = moment ? moment->access : -1;
    input.lane = app.chosen().lane;
    input.element_bytes = picture.element_bytes;
    input.block_x = picture.launch.block.x;
    input.block_y = picture.launch.block.y;
    input.width = width;
    if (auto answer = index_of_lane(job_of(app), picture, input.access, input.lane)) {
        input.expression = answer->expression;
        input.numbers = answer->numbers;
    }
    return lane_figure(input, window_measure());
}

Drawing drawing_of(const App& app, float width) {
    const LaunchShape& launch = app.arrived.picture->launch;
    if (app.chosen().zoom == Zoom::grid)
        return grid_figure({launch.grid, launch.block, app.chosen().block, width},
                           window_measure());
    if (app.chosen().zoom == Zoom::block)
        return block_figure({launch.block, app.chosen().warp, app.chosen().lane, width},
                            window_measure());
    return drawing_of_lane(app, width);
}

}  // namespace

void choose_zoom(App& app, Zoom zoom) {
    select(app, [&](Selection& now) { now.zoom = zoom; });
    if (zoom == Zoom::lane && app.chosen().lane < 0) {
        const TracedAccess* access = shown_access(app);
        int lane = access && access->mask ? std::countr_zero(access->mask) : 0;
        select(app, [&](Selection& now) { now.lane = lane; });
    }
    ++app.scrub.moves;
}

void step_zoom(App& app, int by) {
    if (app.chosen().tab != "access") return;
    int zoom =
        std::clamp(static_cast<int>(app.chosen().zoom) + by, 0, static_cast<int>(Zoom::lane));
    if (zoom != static_cast<int>(app.chosen().zoom)) choose_zoom(app, static_cast<Zoom>(zoom));
}

void draw_breadcrumb(App& app) {
    level(app, Zoom::grid, "zoom:grid", "Grid",
          "All blocks of the launch  (−: further, +: nearer)");
    then();
    level(app, Zoom::block, "zoom:block", "Block", "The block's threads and their warps");
    same_line(5);
    auto block = static_cast<int64_t>(app.chosen().block);
    if (number_field("block", block, 62)) choose_block(app, block);
    then();
    level(app, Zoom::warp, "zoom:warp", "Warp", "The warp's lanes on lines and sectors");
    same_line(5);
    auto warp = static_cast<int>(app.chosen().warp),
         warps = static_cast<int>(app.arrived.picture->block.warps);
    if (button("warp-", "‹", {.enabled = warp > 0, .tooltip = "The warp before  ([)"}))
        choose_warp(app, warp - 1);
    same_line(4);
    word(frame_text("{} of {}", warp, warps), kMono);
    same_line(4);
    if (button("warp+", "›", {.enabled = warp + 1 < warps, .tooltip = "The next warp  (])"}))
        choose_warp(app, warp + 1);
    bool any = app.chosen().lane >= 0;
    same_line(5);
    if (available() < px(any ? 120 : 84)) {
        ImGui::NewLine();  // in little room the lane has a row of its own
        gap(6);
    } else {
        then();
    }
    level(app, Zoom::lane, "zoom:lane",
          any ? frame_text("Lane {}", app.chosen().lane) : std::string_view("Lane"),
          "One lane: its index expression and its bytes");
    if (!any) return;
    same_line(4);
    if (button("lane", "×", {.tooltip = "Look at all lanes again  (Escape)"})) choose_lane(app, -1);
}

void draw_zoomed(App& app) {
    static LaidOut kept;  // only one window draws
    float width = available() / look().pixels_per_point();
    const Drawing& drawing =
        laid_out_moment(kept, app, width, 0, [&](float points) { return drawing_of(app, points); });
    follow_figure(app, draw_figure("zoomed", drawing));
}

}  // namespace lanewise::ui
