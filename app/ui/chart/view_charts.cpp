// The charts: which one, as large as the view, looked into with wheel, drag and keys, saved.
#include <algorithm>
#include <cmath>

#include "ui/imgui/pinch.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/launch/chart_offer.h"
#include "ui/launch/charts.h"
#include "ui/look/compact.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kLeastHeight = 240;  // points of a plot, however low the window is
constexpr float kLeastList = 110;    // likewise of what scrolls by itself
constexpr double kNotch = 1.25;      // as much closer with one notch of the wheel

// Long identifiers and titles once, so that a frame makes none.
struct Chip {
    std::string id, title, what;
};
const std::vector<Chip>& chips() {
    static const std::vector<Chip> all = [] {
        std::vector<Chip> made;
        for (const ChartKind& kind : chart_kinds())
            made.push_back(
                {std::string("chart:") + kind.id, kind.title, std::string(kind.what) + "  (↑ ↓)"});
        return made;
    }();
    return all;
}

// In the same row as what was drawn last, where there is room for a button with this text and for
// `more` points behind it.
void beside(std::string_view text, float spacing, float more = 0) {
    constexpr float kPadding = 20;  // of a button, both sides
    same_line(spacing);
    if (available() >= extent_of(text, {12, Ink::text, Font::text}).x + px(kPadding + more)) return;
    ImGui::NewLine();
    gap(6);
}

// Where every row counts: the chosen one, and the ways to its neighbours.
void draw_one_chip(App& app) {
    size_t count = chips().size();
    size_t& chosen = charts(app).chosen;
    auto step = [&](size_t by) {
        do chosen = (chosen + by) % count;
        while (!chart_offered(app, chosen));
    };
    if (button("chart:before", "‹", {.tooltip = "The chart before  (↑)"})) step(count - 1);
    same_line(4);
    if (button("chart:after", "›", {.tooltip = "The next chart  (↓)"})) step(1);
    same_line(8);
    const Chip& chip = chips()[chosen];
    button(chip.id, chip.title, {.selected = true, .tooltip = chip.what});
}

// Words in the text's font: eleven chips are three rows otherwise.
void draw_chips(App& app) {
    bool first = true;
    for (size_t i = 0; i < chips().size(); ++i) {
        if (!chart_offered(app, i)) continue;
        const Chip& chip = chips()[i];
        if (!first) beside(chip.title, 6);
        first = false;
        if (button(chip.id, chip.title,
                   {.selected = charts(app).chosen == i, .tooltip = chip.what}))
            charts(app).chosen = i;
    }
}

// ---- the tools behind the chips, or below them

void draw_zoom_tools(App& app, const PlotWindow& window) {
    constexpr float kOthers = 220;  // points of those behind the first
    beside("+", 14, is_compact() ? 0 : kOthers);
    if (button("chart:closer", "+", {.tooltip = "Closer  (+, or the wheel)"}))
        zoom_chart(app, kNotch * kNotch);
    same_line(4);
    bool whole = window == PlotWindow{};
    if (button("chart:further", "−", {.enabled = !whole, .tooltip = "Further away  (−)"}))
        zoom_chart(app, 1 / (kNotch * kNotch));
    same_line(4);
    if (button("chart:whole", "All of it",
               {.enabled = !whole, .tooltip = "Show the whole chart  (Home, or a double click)"}))
        reset_chart(app);
    bool wide = charts(app).wide;
    if (wide || !is_compact()) {  // else there is one column anyway, and hardly room for one row
        same_line(12);
        if (button("chart:wide", wide ? "Narrow" : "Wide",
                   {.selected = wide,
                    .tooltip =
                        wide ? "Show the other columns again  (W)" : "Over the whole window  (W)"}))
            charts(app).wide = !wide;
    }
    beside("Save …", 6);
    draw_save_button(app, PictureOf::view, "chart:save");
}

// ---- the chart itself

void lay_out(App& app, float width, float height, const PlotWindow& window) {
    Charts& c = charts(app);
    const ChartKind& kind = chart_kinds()[c.chosen];
    float scale = look().fonts->scale();  // of what measures, as in laid_out.h
    bool other = c.drawn_id != kind.id || c.drawn_revision != app.revision;
    if (other) c.input = kind.make(app);
    if (!other && c.width == width && c.height == height && c.scale == scale &&
        c.drawn_window == window)
        return;
    c.drawn = draw_chart(c.input, width, height, window, window_measure());
    if (other) c.drawn_id = kind.id;
    c.drawn_revision = app.revision;
    c.drawn_window = window;
    c.width = width, c.height = height, c.scale = scale;
}

// The wheel brings what is under the pointer closer, a drag moves it, a double click shows all.
void steer(App& app, ImVec2 origin, bool plot) {
    const ImGuiIO& io = ImGui::GetIO();
    const Charts& c = charts(app);
    PlotWindow& window = charts(app).windows[chart_kinds()[c.chosen].id];
    float unit = look().pixels_per_point();
    const Box& axes = c.drawn.plot;
    if (axes.w <= 0 || axes.h <= 0) return;
    float shown = plot ? axes.w * unit : c.width * unit;
    if (ImGui::IsItemHovered()) {
        float left = plot ? origin.x + axes.x * unit : ImGui::GetWindowPos().x;
        double x = (io.MousePos.x - left) / shown;
        double y = 1 - (io.MousePos.y - origin.y - axes.y * unit) / (axes.h * unit);
        // Where a chart is higher than the view the wheel scrolls, as it does everywhere.
        bool wheel = io.MouseWheel != 0 && (plot || io.KeyShift);
        if (wheel)
            window = zoomed(window, std::clamp(x, 0.0, 1.0), std::clamp(y, 0.0, 1.0),
                            io.MouseWheel > 0 ? kNotch : 1 / kNotch);
        if (const float pinch = take_pinch(); pinch != 0)
            window = zoomed(window, std::clamp(x, 0.0, 1.0), std::clamp(y, 0.0, 1.0),
                            std::pow(kNotch, pinch));
        if (ImGui::IsMouseDoubleClicked(0)) window = {};
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0))
        window =
            moved(window, -io.MouseDelta.x / shown, plot ? io.MouseDelta.y / (axes.h * unit) : 0);
}

void draw_chosen(App& app) {
    Charts& c = charts(app);
    PlotWindow& window = c.windows[chart_kinds()[c.chosen].id];
    float unit = look().pixels_per_point();
    // A chart is made before its kind is known; kinds do not change between frames.
    bool plot = is_plot(c.input) && c.drawn_id == chart_kinds()[c.chosen].id;
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoNavInputs;
    if (plot) flags |= ImGuiWindowFlags_NoScrollWithMouse;
    ImVec2 room = ImGui::GetContentRegionAvail();
    float least = px(plot ? kLeastHeight : kLeastList);
    if (is_compact()) {  // as high as it is: the view scrolls, and nothing within it
        least = std::max(px(kLeastHeight), c.drawn.drawing.height * unit + px(2));
        flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    }
    ImGui::BeginChild("chart", ImVec2(room.x, std::max(room.y, least)), false, flags);
    ImVec2 size = ImGui::GetContentRegionAvail();
    lay_out(app, size.x / unit, std::max(size.y / unit, kLeastHeight), window);
    ImVec2 at = ImGui::GetCursorScreenPos();
    ImVec2 origin = at;
    plot = is_plot(c.input);
    if (!plot) origin.x -= static_cast<float>(window.x0) * c.drawn.drawing.width * unit;
    ImGui::SetCursorScreenPos(origin);
    std::string action = draw_figure("chart", c.drawn.drawing);
    steer(app, origin, plot);
    ImGui::EndChild();
    // The end of a drag is no click.
    float dragged = ImGui::GetIO().MouseDragMaxDistanceSqr[0];
    if (!action.empty() &&
        dragged < ImGui::GetIO().MouseDragThreshold * ImGui::GetIO().MouseDragThreshold)
        follow_chart(app, action);
}

}  // namespace

void draw_charts(App& app) {
    // Another operation may have been chosen since.
    if (!chart_offered(app, charts(app).chosen)) charts(app).chosen = 0;
    is_compact() ? draw_one_chip(app) : draw_chips(app);
    draw_zoom_tools(app, charts(app).windows[chart_kinds()[charts(app).chosen].id]);
    draw_save_panel(app, PictureOf::view);
    gap(is_compact() ? 4 : 10);
    draw_chosen(app);
}

}  // namespace lanewise::ui
