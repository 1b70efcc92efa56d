// How a stage is shown in lists: its number, its course, and how far the learner has come with it.
#pragma once
#include <imgui.h>

#include <string_view>

#include "ui/state/app.h"

namespace lanewise::ui {

inline constexpr float kCourseRow = 28;  // points: a stage in the list of the course

std::string_view number_of(const Stage& stage);     // "30"
const char* course_name(const Stage& stage);        // the caption over the first of a course
std::string_view course_title(const Stage& stage);  // the same in a button: "Transpose"
// A dot. Filled: the task is solved. Ring with a dot: known by its question. Ring: seen. Faint ring:
// not yet. Red: it cannot be used.
void draw_stage_mark(const App& app, const Stage& stage, ImVec2 center);

}  // namespace lanewise::ui
