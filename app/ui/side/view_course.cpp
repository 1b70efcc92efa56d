// The course: the path section by section with how far the learner has come, then what is further.
#include <cmath>

#include "base/text.h"
#include "ui/desk/path_walk.h"
#include "ui/desk/tools.h"
#include "ui/kit/widgets.h"
#include "ui/look/compact.h"
#include "ui/path/course_list.h"
#include "ui/plain/frame_text.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// Scrolls the list so that the stage in the row at `y` is in its middle, or first where there is
// little room, and no row above it is cut.
void scroll_to_row(float y) {
    float rows_shown = std::floor(ImGui::GetWindowHeight() / px(kCourseRow));
    float above = is_compact() ? 0 : std::floor(rows_shown / 2);
    ImGui::SetScrollY(y - ImGui::GetWindowPos().y + ImGui::GetScrollY() - above * px(kCourseRow));
}

void draw_title(const Stage& stage, ImVec2 at, bool selected) {
    float height = px(kCourseRow);
    float number = at.x + px(28), title = at.x + px(54), end = at.x + available();
    auto put = [&](float x, float room, std::string_view text, TextStyle style) {
        float y = at.y + (height - extent_of("X", style).y) / 2;
        draw_text(ImVec2(x, y), fitted(text, style, room - x), style,
                  {x, at.y, room, at.y + height});
    };
    put(number, title, number_of(stage), {11, Ink::text_dim, Font::mono});
    put(title, end - px(6), stage.title,
        {13, stage.error.empty() ? Ink::text : Ink::bad, selected ? Font::bold : Font::text});
}

}  // namespace

void draw_stage_mark(const App& app, const Stage& stage, ImVec2 center) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    float radius = px(4);
    if (!stage.error.empty()) return list->AddCircleFilled(center, radius, color(Ink::bad));
    auto progress = app.saved.progress.find(stage.id);
    bool seen = progress != app.saved.progress.end();
    if (seen && progress->second.passed)
        return list->AddCircleFilled(center, radius, color(Ink::good));
    if (is_tested_out(app, stage.id)) {
        list->AddCircle(center, radius, color(Ink::good), 0, px(1.5f));
        return list->AddCircleFilled(center, radius / 2, color(Ink::good));
    }
    list->AddCircle(center, radius, color(seen ? Ink::accent : Ink::border), 0, px(1.5f));
}

std::string_view number_of(const Stage& stage) {
    std::string_view stem = std::string_view(stage.id).substr(stage.operation.size() + 1);
    return stem.substr(0, stem.find('_'));
}

const char* course_name(const Stage& stage) {
    if (is_exercise(stage)) return "EXERCISES";
    if (is_first_step(stage)) return "LESSON ZERO";
    return operation_of(stage).course.c_str();
}

std::string_view course_title(const Stage& stage) {
    if (is_exercise(stage)) return "Exercises";
    if (is_first_step(stage)) return "Lesson zero";
    return operation_of(stage).course_title;
}

namespace {

void draw_stage_row(App& app, size_t i) {
    const Stage& stage = app.content.catalogue.stages()[i];
    ImVec2 at = ImGui::GetCursorScreenPos();
    ButtonOptions options{.kind = ButtonKind::row, .selected = !app.own && i == app.chosen().stage};
    options.width = available() / look().pixels_per_point();
    options.tooltip = stage.error;
    if (options.selected && app.sight.course_shown != i) {
        scroll_to_row(at.y);
        app.sight.course_shown = i;
    }
    bool clicked = button(joined("stage:", stage.id), "", options);
    draw_stage_mark(app, stage, ImVec2(at.x + px(14), at.y + px(14)));
    draw_title(stage, at, options.selected);
    if (clicked && (app.own || i != app.chosen().stage)) choose_stage(app, i);
}

size_t place_of(const App& app, const std::string& id) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    for (size_t i = 0; i < stages.size(); ++i)
        if (stages[i].id == id) return i;
    return stages.size();
}

bool holds(const PathSection& section, const std::string& stage) {
    for (const PathLesson& lesson : section.lessons)
        if (lesson.stage == stage) return true;
    return false;
}

// Below the lessons of the section that the chosen one is in, where there is room for it.
void draw_know_these(App& app, const PathSection& section) {
    if (is_compact() || app.own || !holds(section, app.course_id())) return;
    const std::string& asked = asked_of(app, section);
    if (asked.empty() || !cannot_claim(app, asked).empty()) return;
    gap(2);
    if (button("path:section", "I know this section",
               {.width = available() / look().pixels_per_point(),
                .tooltip = "Answer the question of its last lesson right at the first try, and "
                           "the section is passed over."}))
        claim(app, asked, section.title);
}

// The caption of a course stands above the first of its further lessons.
void draw_further(App& app, bool all) {
    const std::string* course = nullptr;
    for (size_t i = 0; i < app.content.catalogue.stages().size(); ++i) {
        const Stage& stage = app.content.catalogue.stages()[i];
        if (core_lesson(path_of(app), stage.id) || (!all && i != app.chosen().stage)) continue;
        if (!course || *course != stage.operation) {
            gap(6);
            line(course_name(stage), kCaption);
            gap(2);
        }
        course = &stage.operation;
        draw_stage_row(app, i);
    }
}

}  // namespace

void draw_course(App& app) {
    const Path& path = path_of(app);
    size_t core = 0;
    for (const PathSection& section : path.sections) {
        if (section.lessons.empty()) continue;
        if (core > 0) gap(6);
        line(section.title, kCaption);
        gap(2);
        for (const PathLesson& lesson : section.lessons)
            draw_stage_row(app, place_of(app, lesson.stage));
        draw_know_these(app, section);
        core += section.lessons.size();
    }
    if (core == 0) return draw_further(app, true);
    bool& open = app.tools->walk.further_open;
    gap(8);
    const size_t further = app.content.catalogue.stages().size() - core;
    if (button("path:further",
               frame_text("{} further {}  {}", further, further == 1 ? "lesson" : "lessons",
                          open ? "−" : "+"),
               {.width = available() / look().pixels_per_point(),
                .tooltip = "Nothing in the core waits for these."}))
        open = !open;
    draw_further(app, open);
}

}  // namespace lanewise::ui
