// The keyboard while the charts are shown.
#include "ui/imgui/imgui_compat.h"
#include "ui/launch/charts.h"

namespace lanewise::ui {
namespace {

constexpr double kCloser = 1.5, kStep = 0.1;

// While the panel is open its letters save; they mean other things elsewhere.
bool handle_save_keys(App& app) {
    if (!charts(app).save_open || charts(app).save_of != PictureOf::view) return false;
    const struct {
        unsigned character;
        ChartFormat format;
        bool copies;
    } keys[] = {{'p', ChartFormat::png, false},
                {'v', ChartFormat::svg, false},
                {'c', ChartFormat::csv, false},
                {'V', ChartFormat::svg, true},
                {'C', ChartFormat::csv, true}};
    for (const auto& key : keys) {
        if (!typed(key.character)) continue;
        if (key.copies)
            copy_chart(app, key.format);
        else
            save_chart(app, key.format);
        return true;
    }
    if (pressed(Key::escape)) {
        toggle_save(app);
        return true;
    }
    return false;
}

}  // namespace

bool handle_chart_keys(App& app) {
    if (handle_save_keys(app)) return true;
    if (typed('s') || typed('S')) return toggle_save(app), true;
    if (typed('w') || typed('W')) return charts(app).wide = !charts(app).wide, true;
    if (pressed(Key::escape) && charts(app).wide) return charts(app).wide = false, true;
    if (typed('+') || typed('=')) zoom_chart(app, kCloser);
    if (typed('-')) zoom_chart(app, 1 / kCloser);
    bool shift = ImGui::GetIO().KeyShift;
    for (int by : {-1, 1}) {
        if (pressed(by < 0 ? Key::left : Key::right)) move_chart(app, by * kStep, 0);
        if (!pressed(by < 0 ? Key::up : Key::down)) continue;
        if (shift)
            move_chart(app, 0, -by * kStep);
        else
            step_chart(app, by);
    }
    if (pressed(Key::home)) reset_chart(app);
    return false;
}

}  // namespace lanewise::ui
