#include "ui/state/gate.h"

#include <algorithm>
#include <utility>

#include "ui/state/app.h"
#include "ui/state/edits.h"

namespace lanewise::ui {

static const Stage& original_of(const App& app) {
    return app.content.catalogue.stages()[app.chosen().stage];
}

const WriteTask* writing_now(const App& app) {
    auto begun = app.learner.writing.find(app.course_id());
    return app.own || begun == app.learner.writing.end()
               ? nullptr
               : write_task(app.lesson(), begun->second.size);
}

bool has_written(const App& app, const std::string& size) {
    auto progress = app.saved.progress.find(app.course_id());
    if (progress == app.saved.progress.end()) return false;
    const std::vector<std::string>& written = progress->second.written;
    return std::find(written.begin(), written.end(), size) != written.end();
}

bool may_write(const App& app) {
    auto progress = app.saved.progress.find(app.course_id());
    return !app.own && !app.lesson().write.empty() && progress != app.saved.progress.end() &&
           progress->second.passed;
}

static void put_in_editor(App& app, const std::string& source) {
    replace_source(app, source);
    settle_edit(app);
}

void start_writing(App& app, const std::string& size) {
    const WriteTask* task = write_task(app.lesson(), size);
    if (!task || !may_write(app)) return;
    settle_edit(app);
    auto begun = app.learner.writing.find(app.course_id());
    Writing now{.size = size};
    now.before = begun == app.learner.writing.end() ? typed_source(app) : begun->second.before;
    app.learner.writing[app.course_id()] = std::move(now);
    select(app, [&](Selection& chosen) {
        chosen.knobs = default_knobs(original_of(app));
        chosen.type = original_of(app).types.front();
    });
    put_in_editor(app, write_start(app.lesson(), *task, original_of(app).source));
    open_editor(app);
}

void show_the_fix(App& app) {
    const WriteTask* task = writing_now(app);
    if (!task) return;
    Writing& now = app.learner.writing.at(app.course_id());
    if (now.hints < static_cast<int>(task->gate.hints.size())) return;
    now.shown = true;
    put_in_editor(app, write_solution(app.lesson(), original_of(app).source));
}

void stop_writing(App& app) {
    if (!writing_now(app)) return;
    put_in_editor(app, app.learner.writing.at(app.course_id()).before);
    app.learner.writing.erase(app.course_id());
    if (app.editing.on) close_editor(app);
    answer_lesson(app);
}

std::string_view cannot_judge(const App& app) {
    if (app.own || app.lesson().gate.task.empty()) return "There is no task here.";
    if (!app.stage().error.empty()) return "The head cannot be read: see its error.";
    if (!app.arrived.diagnostics.empty()) return "It does not compile yet.";
    if (app.learner.gate.waiting) return "It is being judged.";
    return {};
}

GateTask gate_task(const App& app) {
    const WriteTask* task = writing_now(app);
    return task_of(task ? task->gate : app.lesson().gate, original_of(app));
}

void press_judge(App& app) {
    if (!cannot_judge(app).empty()) return;
    app.learner.gate = {};
    app.learner.gate.wanted = app.learner.gate.waiting = true;
    app.learner.gate.stage = app.course_id();
    app.learner.gate.source = app.stage().source;
    app.learner.gate.knobs = app.chosen().knobs;
    app.learner.gate.type = app.chosen().type;
    if (const WriteTask* task = writing_now(app)) app.learner.gate.write = task->size;
    app.derived.gate_passed.reset();
}

// A task in code counts if its fix was not shown.
static void note_passed(App& app) {
    WindowState::Progress& progress = app.saved.progress[app.learner.gate.stage];
    const std::string& size = app.learner.gate.write;
    if (size.empty()) {
        progress.passed = true;
        return;
    }
    auto begun = app.learner.writing.find(app.learner.gate.stage);
    if (begun == app.learner.writing.end() || begun->second.size != size || begun->second.shown)
        return;
    if (std::find(progress.written.begin(), progress.written.end(), size) == progress.written.end())
        progress.written.push_back(size);
}

void take_judgement(App& app, Judgement judgement) {
    app.learner.gate.wanted = app.learner.gate.waiting = false;
    if (judgement.passed()) note_passed(app);
    app.learner.gate.judgement = std::move(judgement);
    answer_lesson(app);
    ++app.revision;
}

void fail_judgement(App& app, const std::string& message) {
    app.learner.gate.wanted = app.learner.gate.waiting = false;
    app.learner.gate.judgement.reset();
    app.learner.gate.failure = message;
    ++app.revision;
}

const Judgement* judgement_of(const App& app) {
    const GateState& gate = app.learner.gate;
    if (app.own || !gate.judgement || gate.stage != app.course_id() ||
        gate.source != app.stage().source)
        return nullptr;
    const WriteTask* task = writing_now(app);
    if (gate.write != (task ? task->size : "")) return nullptr;
    const Judgement& judgement = *gate.judgement;
    bool as_judged = app.chosen().knobs == gate.knobs && app.chosen().type == gate.type;
    bool as_shown = judgement.has_case && app.chosen().knobs == judgement.knobs &&
                    app.chosen().type == judgement.type;
    return as_judged || as_shown ? &judgement : nullptr;
}

}  // namespace lanewise::ui
