#include "ui/path/predict_first.h"

#include "ui/desk/tools.h"

namespace lanewise::ui {

bool answer_is_hidden(const App& app) {
    if (!app.learner.predicts_first || app.own || app.edited || app.editing.on) return false;
    if (!app.stage().error.empty() || app.lesson().predict.question.empty()) return false;
    if (app.tools->presenter.on || tour_goes_on(app)) return false;
    auto progress = app.saved.progress.find(app.course_id());
    const bool answered = progress != app.saved.progress.end() && !progress->second.guess.empty();
    return !answered && !app.learner.shown_unpredicted.contains(app.course_id());
}

void show_answer(App& app) { app.learner.shown_unpredicted.insert(app.course_id()); }

}  // namespace lanewise::ui
