// The coach of a lesson: its four steps, which of them is on screen, and what each has come to.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "ui/state/app.h"

namespace lanewise::ui {

enum class Step : uint8_t { predict, look, change, prove };

struct Coach {
    std::string of;          // the stage that the rest is about
    Step step = Step::look;  // asked for; see step_shown()
    Step furthest = Step::look;
    bool setting_open = false;  // type, batch and size are on screen instead of the step
};

// A lesson without a question has no first step, one without a task no last two.
bool has_step(const App& app, Step step);
// The first, as long as its answer is hidden.
Step step_shown(const App& app);
void go_to(App& app, Step step);
bool is_done(const App& app, Step step);

// The knobs that the lesson is about: its task's, and those that its text turns. Indices into the
// stage's knobs, in their order.
std::vector<size_t> knobs_of_lesson(const App& app);
// What a value of one of them has come to where it was measured with the others as they are: "88 %"
// of the yardstick. Empty where it was not.
std::string outcome_of(const App& app, const std::string& knob, int64_t value);

// Opens the case at which the judged source failed, with its map of what is wrong.
void show_failing_case(App& app);

}  // namespace lanewise::ui
