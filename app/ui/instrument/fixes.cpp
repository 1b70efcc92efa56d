#include "ui/desk/fixes.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ui/class/assignment_work.h"
#include "ui/desk/commands.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/path/predict_first.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

FixTool& fix_tool(App& app) { return app.tools->fixes; }
const FixTool& fix_tool(const App& app) { return app.tools->fixes; }

// Of the launch that is on screen.
bool fixes_are_current(const App& app) {
    const FixTool& tool = fix_tool(app);
    return tool.of && tool.of == app.shared_launch() && !app.stale.analysis;
}

const TableFix* chosen_fix(const App& app) {
    const FixTable* table = tried_fixes(app);
    const auto at = static_cast<size_t>(fix_tool(app).chosen);
    return table && at < table->fixes.size() && table->fixes[at].problem.empty() ? &table->fixes[at]
                                                                                 : nullptr;
}

}  // namespace

std::string no_fixes(const App& app) {
    if (is_learning(app)) return "In Learn the task is yours; the workbench tries what might help.";
    if (!assignment_closes_fix(app).empty()) return std::string(assignment_closes_fix(app));
    if (answer_is_hidden(app)) return "Answer the lesson's question first.";
    if (is_library_call(app.stage())) return "A library's call cannot be changed.";
    return "";
}

void press_try_fixes(App& app) {
    if (no_fixes(app).empty() && !tries_fixes(app)) fix_tool(app).wanted = true;
}

const FixTable* tried_fixes(const App& app) {
    return fixes_are_current(app) ? fix_tool(app).table.get() : nullptr;
}

bool tries_fixes(const App& app) {
    return fix_tool(app).wanted || (fixes_are_current(app) && fix_tool(app).running);
}

FixesFigureInput fixes_input(const App& app, float width) {
    FixesFigureInput input;
    const FixTable& table = *tried_fixes(app);
    for (const TableFix& fix : table.fixes)
        input.rows.push_back({fix.title, fix.problem, fix.time_us, fix.faster});
    input.before_us = table.before_us;
    input.card = table.card;
    input.chosen = chosen_fix(app) ? fix_tool(app).chosen : -1;
    input.width = width;
    return input;
}

void choose_fix(App& app, int row) {
    const FixTable* table = tried_fixes(app);
    if (!table || row < 0 || static_cast<size_t>(row) >= table->fixes.size() ||
        !table->fixes[static_cast<size_t>(row)].problem.empty())
        return;
    fix_tool(app).chosen = row;
    ++fix_tool(app).moves;
}

void apply_fix(App& app) {
    const TableFix* chosen = chosen_fix(app);
    if (!chosen || !no_fixes(app).empty()) return;
    const TableFix fix = *chosen;  // what is done forgets the table
    if (fix.source.empty()) {
        for (const auto& [name, value] : fix.knobs)
            if (app.chosen().knobs.at(name) != value) choose_knob(app, name, value);
        app.said.toast = {fix.title + ". Ctrl Z takes it back"};
    } else if (app.own) {
        ImGui::SetClipboardText(fix.source.c_str());
        app.said.toast = {"The changed source is in the clipboard: paste it into your file"};
    } else {
        open_editor(app);
        replace_source(app, fix.source);
        settle_edit(app);
        choose_view(app, "code");
        app.said.toast = {"In the editor: " + fix.title};
    }
}

void add_fix_commands(const App& app, std::vector<Command>& all) {
    all.push_back({"fixes:try", "Look", "Try what might make it faster", "",
                   [](App& a) {
                       choose_view(a, "issues");
                       press_try_fixes(a);
                   },
                   no_fixes(app)});
    all.push_back({"fixes:apply", "Look", "Use the change that is marked among those tried", "",
                   apply_fix, chosen_fix(app) ? "" : "Nothing was tried yet."});
}

// Once the launch is counted, so that the list stands below its issues.
bool fixes_due(const App& app) {
    return fix_tool(app).wanted && no_fixes(app).empty() && app.shared_launch() &&
           !app.stale.analysis && !app.activity.analysis;
}

bool wants_fixes(App& app) {
    FixTool& tool = fix_tool(app);
    const bool wants = fixes_due(app);
    if (!wants) return false;
    tool.wanted = false;
    tool.running = true;
    tool.of = app.shared_launch();
    tool.trying.clear();
    tool.table.reset();
    tool.failure.clear();
    return true;
}

void take_fixes(App& app, FixTable table) {
    FixTool& tool = fix_tool(app);
    tool.running = false;
    if (!fixes_are_current(app)) return;  // another launch's
    tool.table = std::make_shared<FixTable>(std::move(table));
    tool.chosen = 0;
    ++tool.moves;
}

// "": it was cancelled.
void fail_fixes(App& app, const std::string& message) {
    FixTool& tool = fix_tool(app);
    tool.running = false;
    tool.failure = message;
}

void hear_fixes(App& app, const std::string& what) { fix_tool(app).trying = what; }

}  // namespace lanewise::ui
