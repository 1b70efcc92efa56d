#include "ui/state/gate.h"

#include <utility>

#include "ui/state/app.h"

namespace lanewise::ui {

static const Stage& original_of(const App& app) { return app.catalogue.stages()[app.choice.stage]; }

std::string_view cannot_judge(const App& app) {
    if (app.own || app.lesson().gate.task.empty()) return "There is no task here.";
    if (!app.stage().error.empty()) return "The head cannot be read: see its error.";
    if (!app.diagnostics.empty()) return "It does not compile yet.";
    if (app.gate.waiting) return "It is being judged.";
    return {};
}

GateTask gate_task(const App& app) { return task_of(app.lesson().gate, original_of(app)); }

void press_judge(App& app) {
    if (!cannot_judge(app).empty()) return;
    app.gate = {};
    app.gate.wanted = app.gate.waiting = true;
    app.gate.stage = app.course_id();
    app.gate.source = app.stage().source;
    app.gate.knobs = app.choice.knobs;
    app.gate.type = app.choice.type;
    app.gate_passed.reset();
}

void take_judgement(App& app, Judgement judgement) {
    app.gate.wanted = app.gate.waiting = false;
    if (judgement.passed()) app.saved.progress[app.gate.stage].passed = true;
    app.gate.judgement = std::move(judgement);
    answer_lesson(app);
    ++app.revision;
}

void fail_judgement(App& app, const std::string& message) {
    app.gate.wanted = app.gate.waiting = false;
    app.gate.judgement.reset();
    app.gate.failure = message;
    ++app.revision;
}

const Judgement* judgement_of(const App& app) {
    const GateState& gate = app.gate;
    if (app.own || !gate.judgement || gate.stage != app.course_id() ||
        gate.source != app.stage().source)
        return nullptr;
    const Judgement& judgement = *gate.judgement;
    bool as_judged = app.choice.knobs == gate.knobs && app.choice.type == gate.type;
    bool as_shown = judgement.has_case && app.choice.knobs == judgement.knobs &&
                    app.choice.type == judgement.type;
    return as_judged || as_shown ? &judgement : nullptr;
}

}  // namespace lanewise::ui
