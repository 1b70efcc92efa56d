#include "ui/picture/view_scrub.h"

#include <algorithm>

#include "figure/access/life_figure.h"
#include "ui/desk/tools.h"
#include "ui/kit/draw_figure.h"
#include "ui/kit/widgets.h"
#include "ui/look/compact.h"
#include "ui/plain/frame_text.h"
#include "ui/state/laid_out.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr float kButton = 34, kButtonGap = 10, kWords = 18;  // points
constexpr float kFoot = 4, kLeastAbove = 120;

// A triangle, or two bars while it plays: no font has them in every size.
void draw_play_face(Rect box, bool playing) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    float x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2, size = px(7);
    ImU32 ink = color(Ink::text);
    if (!playing) {
        list->AddTriangleFilled(ImVec2(x - size * 0.7f, y - size), ImVec2(x + size, y),
                                ImVec2(x - size * 0.7f, y + size), ink);
        return;
    }
    for (float side : {-1.f, 1.f}) {
        float middle = x + side * size * 0.55f, half = size * 0.28f;
        list->AddRectFilled(ImVec2(middle - half, y - size), ImVec2(middle + half, y + size), ink);
    }
}

// The triangle above the strip and the line through it.
void draw_playhead(ImVec2 origin, float width, const App& app) {
    int step = shown_step(app);
    if (step < 0) return;
    LifeSpan at = life_span(app.derived.life.size(), width, step);
    float unit = look().pixels_per_point();
    float x0 = origin.x + at.x0 * unit, x1 = std::max(origin.x + at.x1 * unit, x0 + px(3));
    float y0 = origin.y + kLifeTop * unit, y1 = y0 + kLifeHeight * unit;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(x0, y0), ImVec2(x1, y1), color(Ink::accent, 0.18f), px(2));
    list->AddRect(ImVec2(x0, y0), ImVec2(x1, y1), color(Ink::accent), px(2), 0, px(2));
}

float strip_width() { return available() / look().pixels_per_point() - kButton - kButtonGap; }

const Drawing& strip_of(const App& app, float width) {
    static LaidOut kept;  // only one window draws
    bool with_legend = !in_little_room();
    return laid_out_at(kept, app.revision, width, with_legend ? 1 : 2, [&](float points) {
        const BlockTrace* block = app.arrived.picture ? &app.arrived.picture->block : nullptr;
        return life_figure({&app.derived.life, points, with_legend, block}, window_measure());
    });
}

void draw_strip(App& app, float width) {
    const Drawing& drawing = strip_of(app, width);
    ImVec2 origin = ImGui::GetCursorScreenPos();
    draw_figure("life", drawing);
    if (app.derived.life.empty()) return;
    if (ImGui::IsItemActive()) {
        float x = (ImGui::GetIO().MousePos.x - origin.x) / look().pixels_per_point();
        choose_step(app, life_step_at(app.derived.life.size(), width, x));
    }
    draw_playhead(origin, width, app);
}

// What the shown moment is, in words that are made once for each.
std::string_view moment_in_words(const App& app) {
    static struct {
        uint64_t revision = ~uint64_t{0};
        int step = -1;
        std::string text;
    } kept;  // only one window draws
    uint64_t revision = app.revision + app.scrub.moves;
    int step = shown_step(app);
    const LifeStep* moment = shown_moment(app);
    if (kept.revision != revision || kept.step != step)
        kept = {revision, step, moment ? words_of(*moment) : ""};
    return kept.text;
}

void draw_scrubber(App& app) {
    rule();
    gap(4);
    float width = strip_width();
    ImVec2 at = ImGui::GetCursorScreenPos();
    const LifeStep* moment = shown_moment(app);
    std::string_view words =
        moment ? frame_text("Warp {}, moment {} of {}:  {}", app.chosen().warp, shown_step(app) + 1,
                            app.derived.life.size(), moment_in_words(app))
               : frame_text("Warp {}: its life, moment by moment", app.chosen().warp);
    line(words, kDim);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + px(kWords + 6)));
    draw_play(app);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + px(kWords + 36)));
    if (button("speed", frame_text("{:g}×", app.scrub.speed),
               {.width = kButton, .tooltip = "How fast it plays"}))
        change_speed(app);
    ImGui::SetCursorScreenPos(ImVec2(at.x + px(kButton + kButtonGap), at.y + px(kWords)));
    draw_strip(app, width);
}

}  // namespace

bool draw_play_button(const char* id, bool playing, bool enabled, const char* tooltip) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    bool pressed = button(
        id, " ", {.selected = playing, .enabled = enabled, .width = kButton, .tooltip = tooltip});
    ImVec2 end = ImGui::GetItemRectMax();
    draw_play_face({at.x, at.y, end.x, end.y}, playing);
    return pressed;
}

bool scrubber_yields(const App& app) {
    constexpr float kHighEnough = 960;
    if (app.tools->in_pane) return true;
    return is_learning(app) && window_points() < kHighEnough;
}

void draw_play(App& app) {
    bool playing = app.scrub.playing;
    if (draw_play_button("play", playing, !app.derived.life.empty(),
                         playing ? "Pause  (Space)" : "Play the warp's life  (Space)"))
        press_play(app);
}

void begin_above_scrubber(const App& app) {
    if (is_compact() || scrubber_yields(app)) return;  // all of it scrolls with the view
    float strip = px(kWords + strip_of(app, strip_width()).height + kFoot + 9);
    float height = std::max(px(kLeastAbove), ImGui::GetContentRegionAvail().y - strip);
    ImGui::BeginChild("above the scrubber", ImVec2(0, height), false, ImGuiWindowFlags_NoNavInputs);
}

void end_above_scrubber(App& app) {
    if (scrubber_yields(app)) return;
    if (is_compact())
        gap(10);
    else
        ImGui::EndChild();
    draw_scrubber(app);
}

}  // namespace lanewise::ui
