#include "ui/desk/undo.h"

#include <utility>

#include "ui/desk/share.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

constexpr size_t kMostKept = 200;

Setting setting_of(const App& app) {
    const Selection& c = app.chosen();
    return {c, c.stage, c.knobs, c.type};
}

// Takes the last of `from`; what was chosen until now goes to `to`. A setting that the stage does
// not have any more (its source was edited since) is left out.
void go_back(App& app, std::vector<Setting>& from, std::vector<Setting>& to, const char* word) {
    if (from.empty() || app.own) return;
    to.push_back(setting_of(app));
    Setting setting = std::move(from.back());
    from.pop_back();
    if (setting.stage != app.chosen().stage) choose_stage(app, setting.stage);
    if (knob_problem(app.stage(), setting.knobs, setting.type).empty()) {
        select(app, [&](Selection& now) {
            now.knobs = setting.knobs;
            now.type = setting.type;
        });
    }
    select(app, [&](Selection& now) {
        now.rows = setting.rows;
        now.cols = setting.cols;
        now.batch = setting.batch;
        now.inner = setting.inner;
        now.block = 0;
        now.access[0] = now.access[1] = -1;
    });
    app.said.shape_problem.clear();
    mark_all_stale(app);
    derive(app);
    app.said.toast = {word + setting_in_words(app)};
}

}  // namespace

void remember_setting(App& app) {
    if (app.own) return;
    UndoList& list = app.tools->undo;
    list.after.clear();
    list.before.push_back(setting_of(app));
    if (list.before.size() > kMostKept) list.before.erase(list.before.begin());
}

void undo_setting(App& app) {
    UndoList& list = app.tools->undo;
    go_back(app, list.before, list.after, "Back to ");
}

void redo_setting(App& app) {
    UndoList& list = app.tools->undo;
    go_back(app, list.after, list.before, "Again ");
}

std::string cannot_undo(const App& app) {
    bool any = !app.own && !app.tools->undo.before.empty();
    return any ? "" : "No knob, type or shape was changed.";
}

std::string cannot_redo(const App& app) {
    bool any = !app.own && !app.tools->undo.after.empty();
    return any ? "" : "Nothing was taken back.";
}

}  // namespace lanewise::ui
