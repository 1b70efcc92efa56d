#include "ui/desk/keys.h"

#include <algorithm>
#include <cmath>

#include "ui/class/audience.h"
#include "ui/desk/commands.h"
#include "ui/desk/flow.h"
#include "ui/desk/forge.h"
#include "ui/desk/tools.h"
#include "ui/imgui/spent_key.h"
#include "ui/instrument/step.h"
#include "ui/launch/charts.h"
#include "ui/launch/products.h"
#include "ui/launch/zoom.h"
#include "ui/look/look.h"
#include "ui/state/compare.h"
#include "ui/state/edits.h"
#include "ui/state/settings.h"
#include "ui/state/views.h"

namespace lanewise::ui {

void focus_region(App& app, Region region) {
    app.keyboard.region = region;
    app.keyboard.focus_wanted = true;
}

void change_theme(App& app) {
    set_theme(next_theme(look().theme));
    app.saved.theme = look().theme;
}

void change_scale(App& app, int steps) {
    // Steps of a tenth up to 150 %, then of a quarter.
    float step = look().scale + 0.01f * static_cast<float>(steps) > 1.5f ? 0.25f : 0.1f;
    float scale = steps == 0 ? 1 : look().scale + step * static_cast<float>(steps);
    set_scale(std::round(scale * 20) / 20);
    app.saved.scale = look().scale;
}

void try_again(App& app) {
    app.said.error.clear();
    app.stale.picture = app.stale.analysis = true;
    mark_comparisons_stale(app);
}

namespace {

bool shows_life(const App& app) {
    return app.chosen().tab == "access" || app.chosen().tab == "banks" || app.chosen().tab == "timeline";
}

void step_access(App& app, int by) {
    const Space space = space_shown(app);
    look_at_access(app, space, chosen_row(app, space) + by);
}

void step_lane(App& app, int by) {
    int lane = app.chosen().lane < 0 ? (by > 0 ? 0 : 31) : (app.chosen().lane + by + 32) % 32;
    if (lane != app.chosen().lane) choose_lane(app, lane);
}

void escape(App& app) {
    if (app.open.help)
        app.open.help = false;
    else if (app.activity.measurement)
        app.wanted.cancel = true;
    else if (app.chosen().lane >= 0)
        choose_lane(app, -1);
    else if (!app.said.error.empty())
        app.said.error.clear();
    else if (app.activity.analysis || app.learner.gate.waiting)
        app.wanted.cancel = true;
}

void handle_line_keys(App& app) {
    if (pressed(Key::up)) step_line(app, -1);
    if (pressed(Key::down)) step_line(app, 1);
    if (pressed(Key::home)) choose_end_line(app, false);
    if (pressed(Key::end)) choose_end_line(app, true);
}

void handle_access_keys(App& app) {
    if (pressed(Key::up)) step_access(app, -1);
    if (pressed(Key::down)) step_access(app, 1);
    if (pressed(Key::home)) choose_end_step(app, false);
    if (pressed(Key::end)) choose_end_step(app, true);
    if (pressed(Key::space)) press_play(app);
}

void handle_picture_keys(App& app) {
    bool shift = ImGui::GetIO().KeyShift;
    if (app.chosen().tab == "code")
        handle_line_keys(app);
    else if (shows_life(app))
        handle_access_keys(app);
    else if (product_shown(app) && no_product(app).empty())
        handle_product_keys(app);
    else if (forge_shown(app))
        handle_forge_keys(app);
    else if (flow_shown(app))
        handle_flow_keys(app);
    else if (stepping_shown(app))
        handle_step_keys(app);
    bool paging = !app.tools->presenter.on;  // else a clicker has the page keys
    if (paging && pressed(Key::page_up))
        choose_block(app, static_cast<int64_t>(app.chosen().block) - 1);
    if (paging && pressed(Key::page_down))
        choose_block(app, static_cast<int64_t>(app.chosen().block) + 1);
    for (int by : {-1, 1}) {
        if (!pressed(by < 0 ? Key::left : Key::right)) continue;
        if (shift)
            step_lane(app, by);
        else if (shows_life(app))
            step_life(app, by);
    }
}

void handle_chooser_keys(App& app) {
    if (pressed(Key::escape)) app.open.chooser.open = false;
    if (pressed(Key::up)) step_entry(app, -1);
    if (pressed(Key::down)) step_entry(app, 1);
    if (!pressed(Key::enter)) return;
    spend(Key::enter);
    accept_typed(app);
}

// Dear ImGui moves between the page's items with Tab and the arrows.
void handle_settings_keys(App& app) {
    if (pressed(Key::escape)) close_settings(app);
}

bool handle_life_control_keys(App& app) {
    bool flows = flow_shown(app);
    if (app.keyboard.region != Region::picture || !(flows || shows_life(app)) ||
        ImGui::GetIO().WantTextInput)
        return false;
    for (int by : {-1, 1})
        if (pressed(by < 0 ? Key::left : Key::right)) {
            flows ? step_flow_chapter(app, by) : step_chapter(app, by);
            return true;
        }
    return false;
}

}  // namespace

void handle_keys(App& app) {
    const ImGuiIO& io = ImGui::GetIO();
    if (hand_keys_to_class(app)) return;
    if (io.KeyCtrl) {
        if (!handle_life_control_keys(app)) act_on_control_keys(app, io.WantTextInput);
        return;
    }
    if (handle_tool_keys(app)) return;
    // Before the text box sees it: its own Escape would take back all that was typed.
    if (app.editing.on && pressed(Key::escape)) {
        if (!io.WantTextInput) return close_editor(app);
        return release_active_item();
    }
    if (forge_shown(app) && io.WantTextInput && pressed(Key::escape)) return release_active_item();
    if (app.open.chooser.open) return handle_chooser_keys(app);
    if (app.open.settings) return handle_settings_keys(app);
    if (app.open.compare) {  // Dear ImGui moves between its items
        if (pressed(Key::escape)) app.open.compare = false;
        return;
    }
    if (app.tools->presenter.on && !app.open.help) {
        handle_presenter_keys(app);
        return handle_picture_keys(app);
    }
    bool in_picture = app.keyboard.region == Region::picture && !app.open.help;
    bool in_charts = in_picture && charts_shown(app);
    if (in_charts && !io.WantTextInput && handle_chart_keys(app)) return;
    // Beside the open editor letters are not commands: whoever types there means the text.
    bool beside_text = app.editing.on && app.chosen().tab == "code" && !io.WantTextInput;
    if (beside_text && io.InputQueueCharacters.Size > 0) app.editing.focus_wanted = true;
    act_on_keys(app, io.WantTextInput || beside_text);
    if (io.WantTextInput || beside_text) return;
    if (pressed(Key::escape)) escape(app);
    if (in_picture && !charts_shown(app)) handle_picture_keys(app);
}

}  // namespace lanewise::ui
