#include "ui/desk/path_walk.h"

#include <algorithm>

#include "base/text.h"
#include "lab/chart/course_gains.h"
#include "ui/desk/coach.h"
#include "ui/desk/review.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

const WindowState::Progress* progress_at(const App& app, const std::string& stage) {
    auto found = app.saved.progress.find(stage);
    return found == app.saved.progress.end() ? nullptr : &found->second;
}

// Null where there is no such stage.
const Lesson* lesson_of(const App& app, const std::string& stage) {
    for (size_t i = 0; i < app.content.catalogue.stages().size(); ++i)
        if (app.content.catalogue.stages()[i].id == stage) return &app.content.lessons[i];
    return nullptr;
}

bool is_due(const App& app, const std::string& stage) {
    const std::vector<Due> due = due_for_review(app.tools->review, today());
    return std::any_of(due.begin(), due.end(),
                       [&](const Due& each) { return each.stage == stage; });
}

const PathSection* section_called(const App& app, const std::string& title) {
    for (const PathSection& section : path_of(app).sections)
        if (section.title == title) return &section;
    return nullptr;
}

AskStage done_in(const App& app) {
    return [&app](const std::string& stage) { return is_lesson_done(app, stage); };
}

}  // namespace

void read_path(App& app) {
    PathWalk& walk = app.tools->walk;
    walk = {};
    walk.path = lanewise::read_path(path_file(app.content.catalogue.content()),
                                    app.content.catalogue.stages());
    if (!walk.path.error.empty())
        app.said.notices.push_back(
            "The path through the lessons cannot be read, so all of them are further: " +
            walk.path.error);
}

const Path& path_of(const App& app) { return app.tools->walk.path; }

bool is_tested_out(const App& app, const std::string& stage) {
    const WindowState::Progress* progress = progress_at(app, stage);
    return progress && progress->tested_out;
}

bool is_lesson_done(const App& app, const std::string& stage) {
    const WindowState::Progress* progress = progress_at(app, stage);
    if (!progress) return false;
    if (progress->passed || progress->tested_out) return true;
    const Lesson* lesson = lesson_of(app, stage);
    if (!lesson || !lesson->gate.task.empty()) return false;
    return lesson->predict.question.empty() || !progress->guess.empty();
}

std::optional<size_t> next_lesson(const App& app) {
    const PathWalk& walk = app.tools->walk;
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    if (walk.refused == app.course_id() && !walk.leads_to.empty())
        for (size_t i = 0; i < stages.size(); ++i)
            if (stages[i].id == walk.leads_to && stages[i].error.empty()) return i;
    return next_on_path(
        walk.path, stages, app.chosen().stage,
        [&](const std::string& stage) { return is_tested_out(app, stage); }, done_in(app));
}

size_t first_open_lesson(const App& app) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    const std::vector<size_t> order = in_path_order(path_of(app), stages);
    for (size_t place : order)
        if (!is_lesson_done(app, stages[place].id)) return place;
    return order.empty() ? 0 : order.front();
}

std::string_view core_left(const App& app) {
    // Said in each frame, and made anew only when a lesson is done.
    static std::string said;
    static int of = -1;
    if (minutes_left(path_of(app), [](const std::string&) { return false; }) == 0) return {};
    const int minutes = minutes_left(path_of(app), done_in(app));
    if (minutes <= 0) return "The core is done.";
    if (minutes != of) {
        said = duration_text(minutes) + " of the core left";
        said[0] = 'A';
        of = minutes;
    }
    return said;
}

namespace {

// The core lesson before this one, of the same operation; null where there is none.
const Stage* rung_before(const App& app, const Stage& stage) {
    const Stage* before = nullptr;
    for (size_t place : in_path_order(path_of(app), app.content.catalogue.stages())) {
        const Stage& each = app.content.catalogue.stages()[place];
        if (each.id == stage.id) return core_lesson(path_of(app), stage.id) ? before : nullptr;
        if (each.operation == stage.operation) before = &each;
    }
    return nullptr;
}

}  // namespace

std::string recorded_gain(const App& app) {
    if (app.own) return {};
    const Stage& stage = app.content.catalogue.stages()[app.chosen().stage];
    const Stage* before = rung_before(app, stage);
    if (!before || stage.types.empty()) return {};
    const std::string& type = stage.types.front();
    for (const Recording& recording : app.content.recordings) {
        const Measurement* was =
            recorded(recording, *before, {before->id, type, default_knobs(*before)});
        const Measurement* is = recorded(recording, stage, as_the_course_has(stage));
        if (!was || !is || was->yardstick.ratio.median <= 0) continue;
        return "Recorded on " + recording.card + ": " + percent(was->yardstick.ratio.median) +
               " of " + operation_of(stage).yardstick + " speed before, " +
               percent(is->yardstick.ratio.median) + " now.";
    }
    return {};
}

std::string cannot_claim(const App& app, const std::string& stage) {
    const Lesson* lesson = lesson_of(app, stage);
    if (!lesson || lesson->predict.question.empty()) return "This lesson asks no question.";
    if (is_lesson_done(app, stage)) return "This lesson is done.";
    if (app.learner.shown_unpredicted.contains(stage)) return "Its answer was shown already.";
    const WindowState::Progress* progress = progress_at(app, stage);
    if (progress && !progress->guess.empty() && !is_due(app, stage))
        return "Its question was answered. It comes again when it is due.";
    return {};
}

const std::string& asked_of(const App& app, const PathSection& section) {
    static const std::string none;
    for (auto it = section.lessons.rbegin(); it != section.lessons.rend(); ++it)
        if (const Lesson* lesson = lesson_of(app, it->stage);
            lesson && !lesson->predict.question.empty())
            return it->stage;
    return none;
}

void claim(App& app, const std::string& stage, const std::string& section) {
    if (!cannot_claim(app, stage).empty()) return;
    if (const WindowState::Progress* progress = progress_at(app, stage);
        progress && !progress->guess.empty())
        ask_again(app, stage);
    if (app.course_id() != stage) choose_stage(app, stage);
    app.learner.predicts_first = true;  // else its answer would be on screen
    PathWalk& walk = app.tools->walk;
    walk.claim = {stage, section};
    walk.refused.clear();
    walk.leads_to.clear();
    go_to(app, Step::predict);
}

bool is_claimed(const App& app, const std::string& stage) {
    return !stage.empty() && app.tools->walk.claim.stage == stage;
}

void settle_claim(App& app, const std::string& stage, bool right) {
    PathWalk& walk = app.tools->walk;
    if (!is_claimed(app, stage)) return;
    const PathSection* section = section_called(app, walk.claim.section);
    walk.claim = {};
    if (right) {
        app.saved.progress[stage].tested_out = true;
        if (section)
            for (const PathLesson& lesson : section->lessons)
                if (!is_lesson_done(app, lesson.stage))
                    app.saved.progress[lesson.stage].tested_out = true;
        return;
    }
    walk.refused = stage;
    if (!section) return;
    for (const PathLesson& lesson : section->lessons)
        if (lesson.stage != stage && !is_lesson_done(app, lesson.stage)) {
            walk.leads_to = lesson.stage;
            return;
        }
}

}  // namespace lanewise::ui
