// What the coach says of the path. Each draws in the current window, or nothing where there is
// nothing to say.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

// Two lines: the belief that the gate catches, where the lesson names one; and what can be done now.
std::string what_was_shown(const Lesson& lesson);

void draw_know_this(App& app);       // below an open question
void draw_claim_settled(App& app);   // above the lesson's step, once it was answered
void draw_what_was_shown(App& app);  // once the gate is passed
void draw_core_left(const App& app);

}  // namespace lanewise::ui
