// The ladder as navigation: a bar for each stage of the course, as high as its share of the
// yardstick, with a tick where its task is solved.
#include <algorithm>
#include <cmath>

#include "ui/desk/path_walk.h"
#include "ui/kit/widgets.h"
#include "ui/learn/learn.h"
#include "ui/look/compact.h"
#include "ui/path/course_list.h"
#include "ui/path/predict_first.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

constexpr float kHigh = 64, kLow = 34;                   // points: of the spine
constexpr float kHighWindow = 640;                       // from here on the spine is high
constexpr float kNameRow = 16, kTop = 8, kMost = 1.05f;  // kMost: a share that fills the height
constexpr float kWidestSlot = 84, kCourses = 290, kCourse = 90, kLeastNamed = 52;
constexpr TextStyle kName{10, Ink::text_dim, Font::text};
constexpr TextStyle kChosenName{10, Ink::text, Font::bold};
constexpr TextStyle kCoreName{10, Ink::text, Font::text};  // kName is a further lesson's
constexpr TextStyle kShare{10, Ink::text, Font::bold};

bool is_high() { return window_points() >= kHighWindow; }

struct Rungs {
    size_t begin = 0, end = 0;  // in the catalogue
};
Rungs rungs_of(const App& app) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    const std::string& course = stages[app.chosen().stage].operation;
    Rungs rungs{app.chosen().stage, app.chosen().stage + 1};
    while (rungs.begin > 0 && stages[rungs.begin - 1].operation == course) --rungs.begin;
    while (rungs.end < stages.size() && stages[rungs.end].operation == course) ++rungs.end;
    return rungs;
}

const LadderBar* bar_of(const App& app, const Stage& stage) {
    for (const LadderBar& bar : app.derived.ladder.bars)
        if (bar.id == stage.id && bar.gb_per_s > 0) return &bar;
    return nullptr;
}

// "any shape" of "transpose/90_any_shape".
std::string_view idea_of(const Stage& stage) {
    static std::string kept;  // its memory serves for all; only one window draws
    kept.assign(stage.id, stage.id.find('_') + 1);
    std::replace(kept.begin(), kept.end(), '_', ' ');
    return kept_text(kept);
}

bool is_passed(const App& app, const Stage& stage) {
    auto progress = app.saved.progress.find(stage.id);
    return progress != app.saved.progress.end() && progress->second.passed;
}

void draw_tick(ImVec2 center, float size, ImU32 ink) {
    const ImVec2 points[] = {ImVec2(center.x - size, center.y),
                             ImVec2(center.x - size * 0.3f, center.y + size * 0.7f),
                             ImVec2(center.x + size, center.y - size * 0.7f)};
    ImGui::GetWindowDrawList()->AddPolyline(points, 3, ink, 0, px(2));
}

// From the foot upwards. Hidden: the outline of a bar of which nothing is said yet.
void draw_bar(const App& app, const Stage& stage, Rect slot, bool chosen) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const LadderBar* bar = bar_of(app, stage);
    const bool hidden = chosen && answer_is_hidden(app);
    const float share = bar ? std::min(static_cast<float>(bar->share), kMost) / kMost : 0;
    const float room = slot.y1 - slot.y0;
    const float height = std::max(px(3), std::round(room * (hidden ? 0.5f : share)));
    const float inset = std::min(px(6), (slot.x1 - slot.x0) * 0.15f);
    ImVec2 low(slot.x0 + inset, slot.y1 - height), high(slot.x1 - inset, slot.y1);
    const bool passed = is_passed(app, stage);
    Ink ink = bar && bar->source == LadderBar::Source::live ? Ink::live
              : passed                                      ? Ink::good
              : chosen                                      ? Ink::accent
                                                            : Ink::text_dim;
    if (hidden)
        list->AddRect(low, high, color(Ink::accent, 0.6f), px(2));
    else
        list->AddRectFilled(low, high, color(ink, chosen || passed ? 0.85f : 0.4f), px(2));
    if (passed || is_tested_out(app, stage.id))
        draw_tick(ImVec2((low.x + high.x) / 2, slot.y0 + px(5)), px(4), color(Ink::good));
}

// A first step is no rung, and has no speed: a disc on a line, with a tick where its task is solved.
void draw_first_step(const App& app, const Stage& stage, Rect slot, bool chosen) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 center((slot.x0 + slot.x1) / 2, (slot.y0 + slot.y1) / 2);
    const bool passed = is_passed(app, stage);
    const ImU32 ink = color(passed ? Ink::good : chosen ? Ink::accent : Ink::text_dim);
    const float radius = std::min(px(8), (slot.y1 - slot.y0) / 2);
    list->AddLine(ImVec2(slot.x0, center.y), ImVec2(slot.x1, center.y), color(Ink::border), px(2));
    list->AddCircleFilled(center, radius, color(Ink::panel));
    if (chosen && !passed)
        list->AddCircleFilled(center, radius, ink);
    else
        list->AddCircle(center, radius, ink, 0, px(2));
    if (passed) draw_tick(center, px(4), ink);
}

void put_centred(std::string_view text, TextStyle style, Rect room) {
    std::string_view shown = fitted(text, style, room.x1 - room.x0);
    float x = room.x0 + (room.x1 - room.x0 - extent_of(shown, style).x) / 2;
    draw_text(ImVec2(x, room.y0), shown, style, room);
}

std::string_view hint_of(const App& app, const Stage& stage, bool chosen) {
    if (chosen && answer_is_hidden(app)) return joined(stage.title, "\nPredict first.");
    const LadderBar* bar = bar_of(app, stage);
    std::string_view text = bar ? std::string_view(bar->tooltip) : std::string_view(stage.title);
    if (is_passed(app, stage)) return joined(text, "\nTask solved.");
    if (is_tested_out(app, stage.id)) return joined(text, "\nKnown by its question.");
    const bool further = !core_lesson(path_of(app), stage.id);
    return further ? joined(text, "\nFurther: the core does not need it.") : text;
}

void draw_rung(App& app, size_t index, Rect slot) {
    const Stage& stage = app.content.catalogue.stages()[index];
    const bool chosen = index == app.chosen().stage, named = is_high();
    ImGui::SetCursorScreenPos(ImVec2(slot.x0, slot.y0));
    std::string_view id = joined("stage:", stage.id);
    bool clicked = ImGui::Button(item_id(id), ImVec2(slot.x1 - slot.x0, slot.y1 - slot.y0));
    audit().widget(id, slot);
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 low(slot.x0, slot.y0), high(slot.x1, slot.y1);
    if (ImGui::IsItemHovered()) list->AddRectFilled(low, high, color(Ink::text, 0.06f), px(6));
    if (chosen) {
        list->AddRectFilled(low, high, color(Ink::accent, 0.1f), px(6));
        list->AddRect(low, high, color(Ink::accent), px(6), 0, px(1.5f));
    }
    tooltip(hint_of(app, stage, chosen));
    Rect bar = slot;
    bar.y0 += px(kTop);
    bar.y1 -= named ? px(kNameRow + 2) : px(4);
    if (is_first_step(stage))
        draw_first_step(app, stage, bar, chosen);
    else
        draw_bar(app, stage, bar, chosen);
    const float width = slot.x1 - slot.x0;
    const TextStyle name = chosen                                ? kChosenName
                           : core_lesson(path_of(app), stage.id) ? kCoreName
                                                                 : kName;
    if (named && width >= px(kLeastNamed))
        put_centred(idea_of(stage), name,
                    {slot.x0 + px(2), slot.y1 - px(kNameRow), slot.x1 - px(2), slot.y1});
    else if (named)
        put_centred(number_of(stage), name, {slot.x0, slot.y1 - px(kNameRow), slot.x1, slot.y1});
    if (clicked && (app.own || !chosen)) choose_stage(app, index);
}

// The first stage of the course after the chosen one, from the last on to the first.
size_t next_course(const App& app) {
    const size_t end = rungs_of(app).end;
    return end < app.content.catalogue.stages().size() ? end : 0;
}

// The courses, in two rows of three; where it is low the chosen one, which leads to the next.
void draw_courses(App& app, ImVec2 at) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    const Stage& here = stages[app.chosen().stage];
    const float width = kCourse;
    if (!is_high()) {
        ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + px(4)));
        if (button(joined("course:", here.operation), course_title(here),
                   {.selected = true, .width = width, .tooltip = "To the next course"}))
            choose_stage(app, next_course(app));
        return;
    }
    size_t shown = 0;
    for (size_t i = 0; i < stages.size(); ++i) {
        if (i > 0 && stages[i].operation == stages[i - 1].operation) continue;
        const bool chosen = stages[i].operation == here.operation;
        auto column = static_cast<float>(shown % 3), row = static_cast<float>(shown / 3);
        ImGui::SetCursorScreenPos(
            ImVec2(at.x + column * px(width + 6), at.y + px(4) + row * px(29)));
        if (button(joined("course:", stages[i].operation), course_title(stages[i]),
                   {.selected = chosen, .width = width}) &&
            !chosen)
            choose_stage(app, i);
        ++shown;
    }
}

}  // namespace

float spine_height() {
    if (window_points() < kLowWindow) return 0;
    return px(is_high() ? kHigh : kLow);
}

void draw_spine(App& app) {
    const float height = spine_height();
    if (height == 0) return;
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetWindowWidth();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + height), color(Ink::panel));
    list->AddLine(ImVec2(at.x, at.y + height - 1), ImVec2(at.x + width, at.y + height - 1),
                  color(Ink::border));
    const bool with_courses = width >= px(760);
    float left = at.x + px(16);
    if (with_courses) {
        draw_courses(app, ImVec2(left, at.y));
        left += px(is_high() ? kCourses : kCourse + 14);
    }
    const Rungs rungs = rungs_of(app);
    const auto count = static_cast<float>(rungs.end - rungs.begin);
    const float slot =
        std::floor(std::min(px(kWidestSlot), (at.x + width - px(12) - left) / count));
    for (size_t i = rungs.begin; i < rungs.end; ++i) {
        float x = left + slot * static_cast<float>(i - rungs.begin);
        draw_rung(app, i, {x, at.y + px(4), x + slot, at.y + height - px(4)});
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
}

}  // namespace lanewise::ui
