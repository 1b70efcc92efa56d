#include "ui/keys.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/compare.h"
#include "ui/edits.h"
#include "ui/look.h"
#include "ui/settings.h"
#include "ui/views.h"
#include "ui/zoom.h"

namespace lanewise::ui {

static constexpr KeyHelp kHelps[] = {
    {"N  P", "next, previous stage"},
    {"1  2  3  4", "warp microscope, shared memory, code, speed"},
    {"Tab  F6", "next column (with Shift: the one before)"},
    {nullptr, nullptr},
    {"↑ ↓", "in the picture: previous, next access or line"},
    {"← →", "through the warp's life (with Ctrl: by chapters)"},
    {"Home End", "its begin, its end; of the code: first, last line"},
    {"Space", "play, pause"},
    {"[ ]", "previous, next warp"},
    {"+ −", "nearer, further: grid, block, warp, lane"},
    {"C", "other settings or stages beside this one"},
    {"Shift ← →", "previous, next lane"},
    {"PgUp PgDn", "previous, next block"},
    {nullptr, nullptr},
    {"arrows", "in the side columns: move from item to item"},
    {"Enter Space", "press the item"},
    {"R  F5", "run on the GPU"},
    {"Ctrl O", "open a kernel of your own"},
    {"Ctrl E", "edit the stage's kernel (Ctrl F: find)"},
    {",", "settings: engine, GPU, time limit, theme, size"},
    {"Esc", "stop a run; all lanes again; close"},
    {nullptr, nullptr},
    {"Ctrl +  −  0", "larger, smaller, 100 %"},
    {"T", "dark, light, projector"},
    {"?  F1", "this sheet"},
};
std::span<const KeyHelp> key_helps() { return kHelps; }

void focus_region(App& app, Region region) {
    app.region = region;
    app.focus_wanted = true;
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
    app.error.clear();
    app.picture_stale = app.analysis_stale = true;
    mark_comparisons_stale(app);
}

namespace {

bool shows_life(const App& app) { return app.tab == "access" || app.tab == "banks"; }

Space space_of(const App& app) { return app.tab == "banks" ? Space::shared : Space::global; }

void step_access(App& app, int by) {
    choose_access(app, space_of(app), chosen_row(app, space_of(app)) + by);
}

void step_lane(App& app, int by) {
    int lane = app.choice.lane < 0 ? (by > 0 ? 0 : 31) : (app.choice.lane + by + 32) % 32;
    if (lane != app.choice.lane) choose_lane(app, lane);
}

void step_region(App& app, int by) {
    app.keyboard_used = true;
    focus_region(app, static_cast<Region>((static_cast<int>(app.region) + by + 3) % 3));
}

void escape(App& app) {
    if (app.help_open)
        app.help_open = false;
    else if (app.activity.measurement)
        app.cancel_wanted = true;
    else if (app.choice.lane >= 0)
        choose_lane(app, -1);
    else if (!app.error.empty())
        app.error.clear();
    else if (app.activity.analysis)
        app.cancel_wanted = true;
}

void open_help(App& app) {
    app.help_open = !app.help_open;
    app.help_focus_wanted = app.help_open;
}

struct CharacterKey {
    char character;
    void (*act)(App&);
};
constexpr CharacterKey kCharacters[] = {
    {'n', [](App& a) { step_stage(a, 1); }},
    {'p', [](App& a) { step_stage(a, -1); }},
    {'1', [](App& a) { choose_view(a, "access"); }},
    {'2', [](App& a) { choose_view(a, "banks"); }},
    {'3', [](App& a) { choose_view(a, "code"); }},
    {'4', [](App& a) { choose_view(a, "speed"); }},
    {'[', [](App& a) { choose_warp(a, static_cast<int>(a.choice.warp) - 1); }},
    {']', [](App& a) { choose_warp(a, static_cast<int>(a.choice.warp) + 1); }},
    {'r', press_run},
    {'t', change_theme},
    {'?', open_help},
    {',', open_settings},
    {'c', open_compare},
    {'+', [](App& a) { step_zoom(a, 1); }},
    {'-', [](App& a) { step_zoom(a, -1); }},
};

void handle_characters(App& app) {
    for (const CharacterKey& key : kCharacters) {
        auto lower = static_cast<unsigned>(key.character);
        auto upper = lower >= 'a' && lower <= 'z' ? lower - 'a' + 'A' : lower;
        if (typed(lower) || (upper != lower && typed(upper))) key.act(app);
    }
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
    if (app.tab == "code")
        handle_line_keys(app);
    else if (shows_life(app))
        handle_access_keys(app);
    if (pressed(Key::page_up)) choose_block(app, static_cast<int64_t>(app.choice.block) - 1);
    if (pressed(Key::page_down)) choose_block(app, static_cast<int64_t>(app.choice.block) + 1);
    for (int by : {-1, 1}) {
        if (!pressed(by < 0 ? Key::left : Key::right)) continue;
        if (shift)
            step_lane(app, by);
        else if (shows_life(app))
            step_life(app, by);
    }
}

void handle_chooser_keys(App& app) {
    if (pressed(Key::escape)) app.chooser.open = false;
    if (pressed(Key::up)) step_entry(app, -1);
    if (pressed(Key::down)) step_entry(app, 1);
    if (pressed(Key::enter)) accept_typed(app);
}

// Dear ImGui moves between the page's items with Tab and the arrows.
void handle_settings_keys(App& app) {
    if (pressed(Key::escape)) close_settings(app);
}

void handle_control_keys(App& app) {
    for (int by : {-1, 1})
        if (pressed(by < 0 ? Key::left : Key::right) && !ImGui::GetIO().WantTextInput &&
            app.region == Region::picture && shows_life(app))
            step_chapter(app, by);
    if (pressed(Key::o)) open_chooser(app);
    if (pressed(Key::e)) app.editing.on ? close_editor(app) : open_editor(app);
    if (pressed(Key::f) && app.editing.on) app.editing.find_open = !app.editing.find_open;
    if (pressed(Key::equal) || pressed(Key::keypad_add)) change_scale(app, 1);
    if (pressed(Key::minus) || pressed(Key::keypad_subtract)) change_scale(app, -1);
    if (pressed(Key::zero) || pressed(Key::keypad_0)) change_scale(app, 0);
}

}  // namespace

void handle_keys(App& app) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl) return handle_control_keys(app);
    // Before the text box sees it: its own Escape would take back all that was typed.
    if (app.editing.on && pressed(Key::escape)) {
        if (!io.WantTextInput) return close_editor(app);
        return release_active_item();
    }
    if (app.chooser.open) return handle_chooser_keys(app);
    if (app.settings) return handle_settings_keys(app);
    if (app.compare_open) {  // Dear ImGui moves between its items
        if (pressed(Key::escape)) app.compare_open = false;
        return;
    }
    if (pressed(Key::f6) || (pressed(Key::tab) && !io.WantTextInput))
        step_region(app, io.KeyShift ? -1 : 1);
    if (pressed(Key::f1)) open_help(app);
    if (pressed(Key::f5)) press_run(app);
    if (io.WantTextInput) return;
    if (pressed(Key::escape)) escape(app);
    handle_characters(app);
    if (app.region == Region::picture && !app.help_open) handle_picture_keys(app);
}

}  // namespace lanewise::ui
