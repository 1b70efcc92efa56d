// What the whole launch loses, dearest first, with a fix that is known; and where its bytes go.
#include <algorithm>

#include "lab/change/pad_table.h"
#include "ui/desk/fixes.h"
#include "ui/desk/tools.h"
#include "ui/instrument/why.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/charts.h"
#include "ui/launch/follow.h"
#include "ui/launch/launch.h"
#include "ui/look/compact.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kWidestCards = 760, kWidestPath = 1300;  // points

// What stands there until the launch is counted. True: it is.
bool is_counted(const App& app) {
    if (app.of_launch()) return true;
    line(app.activity.busy() ? "Counting the whole launch …" : "Not counted.", kDim);
    return false;
}

void draw_save(App& app) {
    if (app.tools->presenter.on || is_compact() || is_learning(app)) return;
    if (!bytes_shown(app) && !issues_shown(app)) return;  // in a pane beside another view
    draw_save_button(app, PictureOf::view, "launch:save");
    draw_save_panel(app, PictureOf::view);
    gap(8);
}

// ---- a fix whose outcome is known: the padding with the fewest wavefronts of this block

int wavefronts_of(const PadRow& row) {
    int sum = 0;
    for (const auto& warp : row.warps)
        for (const PadCost& cost : warp) sum += cost.wavefronts;
    return sum;
}

void draw_padding_offer(App& app) {
    if (!app.arrived.pads || app.own) return;
    const auto knob = app.chosen().knobs.find(kPadKnob);
    if (knob == app.chosen().knobs.end()) return;
    const PadRow *now = nullptr, *best = nullptr;
    for (const PadRow& row : app.arrived.pads->rows) {
        if (!row.problem.empty()) continue;
        if (row.pad == knob->second) now = &row;
        if (row.offered && (!best || wavefronts_of(row) < wavefronts_of(*best))) best = &row;
    }
    if (!now || !best || wavefronts_of(*best) >= wavefronts_of(*now)) return;
    gap(10);
    if (button("fix:pad",
               frame_text("Try PAD = {}: {} wavefronts instead of {}", best->pad,
                          wavefronts_of(*best), wavefronts_of(*now)),
               {.kind = ButtonKind::primary,
                .tooltip = "Of this block, interpreted with that padding"}))
        choose_knob(app, kPadKnob, best->pad);
}

}  // namespace

void draw_bytes(App& app) {
    if (!is_counted(app)) return;
    draw_save(app);
    const float unit = look().pixels_per_point();
    const float width = std::min(kWidestPath, available() / unit);
    const float height = ImGui::GetContentRegionAvail().y / unit - 6;
    static LaidOut kept;  // only one window draws
    const Drawing& drawing = laid_out_at(kept, app.revision, width, height, [&](float points) {
        return bytes_figure(bytes_input(app, points, height), window_measure());
    });
    follow_figure(app, draw_figure("bytes", drawing));
}

void draw_issues(App& app) {
    if (!is_counted(app)) return;
    draw_save(app);
    draw_fixes(app);
    if (!app.of_launch()) return;  // a change was taken over: its counts come
    const float width = std::min(kWidestCards, available() / look().pixels_per_point());
    static LaidOut kept;                                       // only one window draws
    const uint64_t revision = app.revision + app.scrub.moves + why_moves(app);  // all only grow
    const Drawing& drawing = laid_out_at(kept, revision, width, 0, [&](float points) {
        return issues_figure(issues_input(app, points), window_measure());
    });
    follow_figure(app, draw_figure("issues", drawing));
    if (was_stopped(app)) {
        gap(10);
        if (button("why:again", "Work it out", {.tooltip = "By the model of launches"}))
            press_model_launch(app);
    }
    draw_padding_offer(app);
}

}  // namespace lanewise::ui
