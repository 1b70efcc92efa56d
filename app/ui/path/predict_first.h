// Before a stage's pictures, counts and times comes the learner's own expectation of them.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

// Whether everything that answers the open prediction must stay out of sight: the lesson asks, the
// learner has not answered, and has not asked to see it at once. Never in the presenter, which has
// its own questions, for a kernel of the user's own, or while the source is edited.
bool answer_is_hidden(const App& app);
// "Show it without a prediction": of this stage, until the program ends.
void show_answer(App& app);

}  // namespace lanewise::ui
