// The course: the stages of the ladder in order, with how far the learner has come.
#include <cmath>

#include "ui/kit/compact.h"
#include "ui/kit/frame_text.h"
#include "ui/kit/widgets.h"
#include "ui/state/course_list.h"
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

void draw_course(App& app) {
    for (size_t i = 0; i < app.catalogue.stages().size(); ++i) {
        const Stage& stage = app.catalogue.stages()[i];
        if (i > 0 && app.catalogue.stages()[i - 1].operation != stage.operation) {
            gap(6);
            line(course_name(stage), kCaption);
            gap(2);
        }
        ImVec2 at = ImGui::GetCursorScreenPos();
        ButtonOptions options{.kind = ButtonKind::row,
                              .selected = !app.own && i == app.choice.stage};
        options.width = available() / look().pixels_per_point();
        options.tooltip = stage.error;
        if (options.selected && app.course_shown != i) {
            scroll_to_row(at.y);
            app.course_shown = i;
        }
        bool clicked = button(joined("stage:", stage.id), "", options);
        draw_stage_mark(app, stage, ImVec2(at.x + px(14), at.y + px(14)));
        draw_title(stage, at, options.selected);
        if (clicked && (app.own || i != app.choice.stage)) choose_stage(app, i);
    }
}

}  // namespace lanewise::ui
