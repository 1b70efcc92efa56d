#include "ui/desk/coach.h"

#include <algorithm>

#include "base/text.h"
#include "ui/desk/tools.h"
#include "ui/launch/follow.h"
#include "ui/path/predict_first.h"

namespace lanewise::ui {
namespace {

const WindowState::Progress* progress_of(const App& app) {
    auto found = app.saved.progress.find(app.course_id());
    return found == app.saved.progress.end() ? nullptr : &found->second;
}

// Null where it was last asked of another stage: of this one it begins anew.
const Coach* coach_of(const App& app) {
    const Coach& coach = app.tools->coach;
    return coach.of == app.course_id() ? &coach : nullptr;
}

bool is_as_shipped(const App& app) {
    return !app.edited && app.chosen().knobs == default_knobs(app.stage());
}

void add_name(const std::string& setting, std::vector<std::string>& names) {
    names.push_back(setting.substr(0, setting.find('=')));
}

}  // namespace

bool has_step(const App& app, Step step) {
    if (step == Step::predict) return !app.lesson().predict.question.empty();
    return step == Step::look || !app.lesson().gate.task.empty();
}

Step step_shown(const App& app) {
    if (answer_is_hidden(app)) return Step::predict;
    const Coach* coach = coach_of(app);
    return coach && has_step(app, coach->step) ? coach->step : Step::look;
}

void go_to(App& app, Step step) {
    Coach& coach = app.tools->coach;
    if (!coach_of(app)) coach = {.of = app.course_id()};
    coach.step = step;
    coach.furthest = std::max(coach.furthest, step);
    coach.setting_open = false;
}

bool is_done(const App& app, Step step) {
    const WindowState::Progress* progress = progress_of(app);
    if (step == Step::predict) return progress && !progress->guess.empty();
    if (progress && progress->passed) return true;
    if (answer_is_hidden(app) || step == Step::prove) return false;
    if (step == Step::change) return !is_as_shipped(app);
    const Coach* coach = coach_of(app);
    return coach && coach->furthest > Step::look;
}

std::vector<size_t> knobs_of_lesson(const App& app) {
    std::vector<std::string> names;
    for (const std::string& setting : app.lesson().gate.solved_at.set) add_name(setting, names);
    constexpr std::string_view kSet = "set:";
    for (const LessonBlock& block : app.lesson().blocks)
        for (const LessonRun& run : block.runs)
            if (run.link.starts_with(kSet)) add_name(run.link.substr(kSet.size()), names);
    std::vector<size_t> found;
    const std::vector<Knob>& knobs = app.stage().knobs;
    for (size_t i = 0; i < knobs.size(); ++i)
        if (std::find(names.begin(), names.end(), knobs[i].name) != names.end()) found.push_back(i);
    return found;
}

std::string outcome_of(const App& app, const std::string& knob, int64_t value) {
    const Selection& c = app.chosen();
    KnobValues knobs = c.knobs;
    knobs[knob] = value;
    for (const Recording& recording : app.content.recordings)
        if (const Measurement* m = recording.find(app.stage().id, knobs, c.type, c.rows, c.cols,
                                                  c.batch, size_of(c).inner))
            return m->correct && !m->yardstick.samples_us.empty() ? percent(m->yardstick.ratio.median)
                                                             : "";
    return "";
}

// One after the other would pass through settings that there are not, so all at once.
void show_failing_case(App& app) {
    const Judgement* judgement = judgement_of(app);
    if (!judgement || !judgement->has_case) return;
    const Judgement failed = *judgement;
    if (!choose_shape(app, failed.rows, failed.cols, failed.inner)) return;
    select(app, [&](Selection& now) {
        now.knobs = failed.knobs;
        now.type = failed.type;
        now.batch = failed.batch;
        now.block = 0;
        now.access[0] = now.access[1] = -1;
    });
    mark_all_stale(app);
    derive(app);
    if (failed.why == Judgement::Why::result && failed.mismatch.count > 0)
        follow_link(app, "proof:correct");
}

}  // namespace lanewise::ui
