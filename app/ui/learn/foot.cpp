// Below the picture: what the chosen access and the launch come to, and the knobs of the lesson, each
// value with what it reached where it was measured.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "lab/analysis/rate.h"
#include "ui/desk/coach.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/learn/learn.h"
#include "ui/look/compact.h"
#include "ui/path/predict_first.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kStrip = 50, kLowStrip = 34, kKnobs = 50, kPad = 14;
constexpr TextStyle kSmall{11, Ink::text_dim, Font::text};

bool is_low() { return window_points() < kLowWindow; }

struct Cell {
    std::string_view figure, first, second;  // stand for this frame
    Ink ink = Ink::text;
};

// The chosen access: its cost beside the least that would do, and how much of it was needed.
void add_access(const App& app, std::vector<Cell>& cells) {
    if (app.chosen().tab != "access" && app.chosen().tab != "banks") return;
    const Space space = space_shown(app);
    const int chosen = chosen_row(app, space);
    if (chosen < 0) return;
    const AccessRow& row = app.derived.rows_of[space == Space::shared][static_cast<size_t>(chosen)];
    const bool ideal = row.cost <= row.ideal;
    const Ink ink = ideal ? Ink::good : Ink::warn;
    const char* unit = space == Space::shared ? "wavefront" : "sector";
    cells.push_back({frame_text("{}", row.cost), frame_text("{}{}", unit, row.cost == 1 ? "" : "s"),
                     ideal ? std::string_view("ideal") : frame_text("ideal {}", row.ideal), ink});
    if (space == Space::global && row.cost > 0)
        cells.push_back({frame_text("{:.3g} %", 100.0 * std::min(row.ideal, row.cost) / row.cost),
                         "of the sectors", "are needed", ink});
}

bool is_wrong(const Analysis* launch) {
    return launch && launch->has_reference && !launch->correct;
}

// Before all else, and where there is little room in place of it.
void add_wrong(const App& app, std::vector<Cell>& cells) {
    if (is_wrong(app.of_launch()))
        cells.push_back({"Wrong", "the result", "is not right", Ink::bad});
}

// "H200": there is little room, and whose number it is has to be said.
std::string_view short_card(std::string_view card) {
    constexpr std::string_view kVendor = "NVIDIA ";
    return card.starts_with(kVendor) ? card.substr(kVendor.size()) : card;
}

void add_speed(const App& app, std::vector<Cell>& cells) {
    if (is_first_step(app.stage())) return;  // it is no rung: nobody times it
    const Analysis* launch = app.of_launch();
    if (is_wrong(launch)) return;  // how long it took to go wrong is no speed
    const Shown shown = shown_measurement(app);
    if (const Measurement* m = shown.measurement; m && m->correct) {
        const bool bytes = operation_of(*m).rate == Operation::Rate::bytes;
        std::string_view figure =
            frame_text("{}", with_thousands(static_cast<uint64_t>(rate_of(*m) + 0.5)));
        std::string_view unit =
            frame_text("{}, {}", bytes ? "GB/s" : "GFLOP/s", shown.live ? "measured" : "recorded");
        std::string_view share =
            m->yardstick.samples_us.empty()
                ? std::string_view(m->provenance.card)
                : frame_text("{} of {}, {}", percent(m->yardstick.ratio.median),
                             operation_of(*m).yardstick, short_card(m->provenance.card));
        return cells.push_back({figure, unit, share, shown.live ? Ink::live : Ink::text});
    }
    if (!launch || launch->prediction.stations.empty()) return;
    cells.push_back({joined("≈ ", frame_text("{:.0f}", launch->prediction.gb_per_s)),
                     "GB/s, modelled", launch->prediction.device, Ink::model});
}

void add_limit(const App& app, std::vector<Cell>& cells) {
    if (is_first_step(app.stage())) return;
    const Analysis* launch = app.of_launch();
    if (!launch || launch->prediction.limited_by.empty()) return;
    cells.push_back({"", joined("limited by (", short_card(launch->prediction.device), ")"),
                     launch->prediction.limited_by, Ink::text});
}

float width_of(const Cell& cell) {
    float words = std::max(extent_of(cell.first, kSmall).x, extent_of(cell.second, kStrong).x);
    float figure = cell.figure.empty() ? 0 : extent_of(cell.figure, kFigure).x + px(8);
    return figure + words;
}

void draw_cell(App& app, const Cell& cell, Rect room) {
    float x = room.x0;
    const float middle = (room.y0 + room.y1) / 2;
    if (!cell.figure.empty()) {
        TextStyle style =
            is_low() ? TextStyle{15, cell.ink, Font::bold} : TextStyle{24, cell.ink, Font::bold};
        const ImVec2 size = extent_of(cell.figure, style);
        draw_text(ImVec2(x, middle - size.y / 2), cell.figure, style, room);
        x += size.x + px(8);
    }
    const float row = line_height(kSmall);
    TextStyle strong{11, cell.figure.empty() ? Ink::text : Ink::text_dim,
                     cell.figure.empty() ? Font::bold : Font::text};
    draw_label(app, ImVec2(x, middle - row), cell.first, kSmall,
               {room.x0, middle - row, room.x1, middle});
    draw_label(app, ImVec2(x, middle), cell.second, strong,
               {room.x0, middle, room.x1, middle + row});
}

void draw_strip(App& app) {
    static std::vector<Cell> cells;  // its memory serves for all frames
    cells.clear();
    if (!answer_is_hidden(app)) {
        add_wrong(app, cells);
        add_access(app, cells);
        add_speed(app, cells);
        add_limit(app, cells);
    }
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = available(), height = px(is_low() ? kLowStrip : kStrip);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height), color(Ink::panel), px(8));
    if (answer_is_hidden(app)) {
        std::string_view words =
            fitted("Counts and times come with your answer.", kDim, width - px(28));
        draw_text(ImVec2(at.x + px(kPad), at.y + (height - extent_of("X", kDim).y) / 2), words,
                  kDim, {at.x, at.y, at.x + width, at.y + height});
    }
    float x = at.x + px(kPad);
    for (const Cell& cell : cells) {
        const float needed = width_of(cell);
        if (x + needed > at.x + width - px(kPad)) break;
        draw_cell(app, cell, {x, at.y, x + needed + 1, at.y + height});
        x += needed + px(28);
    }
    ImGui::Dummy(ImVec2(width, height));
    audit().widget("strip", {at.x, at.y, at.x + width, at.y + height});
}

// What the values of the lesson's knobs have come to; made anew where a setting or a result is.
struct Outcomes {
    uint64_t revision = UINT64_MAX;
    std::string stage;
    std::vector<size_t> knobs;
    std::vector<std::vector<std::string>> of;  // by place in `knobs`, and choice
};
const Outcomes& outcomes(const App& app) {
    static Outcomes kept;  // only one window draws
    if (kept.revision == app.revision && kept.stage == app.stage().id) return kept;
    kept = {app.revision, app.stage().id, knobs_of_lesson(app), {}};
    for (size_t index : kept.knobs) {
        const Knob& knob = app.stage().knobs[index];
        std::vector<std::string>& of = kept.of.emplace_back();
        for (int64_t value : knob.choices) of.push_back(outcome_of(app, knob.name, value));
    }
    return kept;
}

// "4096² · f32"
std::string_view size_and_type(const App& app) {
    const Selection& c = app.chosen();
    std::string_view sides = size_of(c).inner != kNoInner
                                 ? frame_text("{} × {} × {}", c.rows, c.cols, c.inner)
                             : c.rows == c.cols ? frame_text("{}²", c.rows)
                                                : frame_text("{} × {}", c.rows, c.cols);
    return frame_text("{} · {} …", sides, c.type);
}

void draw_knob_of_lesson(App& app, size_t place) {
    const Outcomes& known = outcomes(app);
    const size_t index = known.knobs[place];
    const Knob& knob = app.stage().knobs[index];
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float name = extent_of(knob.name, kStrong).x + px(8);
    draw_text(ImVec2(at.x, at.y + px(4)), knob.name, kStrong,
              {at.x, at.y, at.x + name, at.y + px(26)});
    ImGui::Dummy(ImVec2(name, px(26)));
    tooltip(knob.help);
    same_line(0);
    draw_knob_choices(app, index, known.of[place]);
}

float width_of_knob(const Knob& knob) {
    constexpr float kPadding = 20, kBetween = 6;
    float width = extent_of(knob.name, kStrong).x + px(8);
    for (int64_t value : knob.choices)
        width += extent_of(frame_text("{}", value), kMono).x + px(kPadding + kBetween);
    return width;
}

// As many of the lesson's knobs as there is room for; the setting has them all.
void draw_knobs(App& app) {
    const Outcomes& known = outcomes(app);
    const std::string_view setting = size_and_type(app);
    const float end = px(app.engine.gpu.empty() ? 60 : 260) + extent_of(setting, kDim).x;
    for (size_t place = 0; place < known.knobs.size(); ++place) {
        if (width_of_knob(app.stage().knobs[known.knobs[place]]) + end > available()) break;
        draw_knob_of_lesson(app, place);
        same_line(20);
    }
    if (button("setting", setting,
               {.selected = app.tools->coach.setting_open,
                .tooltip = "Size, type, batch, and every knob"})) {
        app.tools->coach.setting_open = !app.tools->coach.setting_open;
        app.keyboard.region = Region::course;
        app.keyboard.focus_wanted = true;
    }
    if (!app.engine.gpu.empty()) {
        same_line(8);
        draw_run(app);
    }
}

}  // namespace

// Of a first step's machine nothing is counted, and nothing is timed: the picture has the room.
static bool has_strip(const App& app) {
    return answer_is_hidden(app) || app.chosen().tab != "machine" || !is_first_step(app.stage()) ||
           is_wrong(app.of_launch());
}

float foot_height(const App& app) {
    const float strip = has_strip(app) ? px(is_low() ? kLowStrip : kStrip) + px(8) : 0;
    const bool with_knobs = !is_low() && !answer_is_hidden(app);
    return strip + (with_knobs ? px(kKnobs) : 0);
}

void draw_foot(App& app) {
    gap(4);
    if (has_strip(app)) draw_strip(app);
    if (is_low() || answer_is_hidden(app)) return;
    gap(6);
    draw_knobs(app);
}

}  // namespace lanewise::ui
