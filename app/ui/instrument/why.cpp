#include "ui/instrument/why.h"

#include <string_view>

#include "lab/analysis/issues.h"
#include "ui/desk/tools.h"
#include "ui/instrument/panes.h"
#include "ui/path/predict_first.h"

namespace lanewise::ui {
namespace {

WhyTool& why_tool(App& app) {
    if (!app.tools->on_demand.why) app.tools->on_demand.why = std::make_shared<WhyTool>();
    return *app.tools->on_demand.why;
}
const WhyTool* why_tool(const App& app) { return app.tools->on_demand.why.get(); }

// Of the launch that is on screen.
bool causes_are_current(const App& app) {
    const WhyTool* tool = why_tool(app);
    return tool && tool->of && tool->of == app.shared_launch() && !app.stale.analysis;
}

bool in_sight(const App& app, const std::string& view) {
    if (app.chosen().tab == view) return true;
    if (is_learning(app)) return false;
    return app.saved.panes.side == view || view_beside(app) == view || view_below(app) == view ||
           view_apart(app) == view;
}

// "kernels/turn.cu" is the file "turn.cu". Every frame asks, so that nothing is put together here.
bool is_file(std::string_view path, std::string_view name) {
    if (!path.ends_with(name)) return false;
    path.remove_suffix(name.size());
    return path.empty() || path.ends_with('/');
}

bool is_wanted(const App& app) {
    return (in_sight(app, "issues") || in_sight(app, "code")) && !answer_is_hidden(app) &&
           !is_library_call(app.stage());
}

}  // namespace

const CauseTable* launch_causes(const App& app) {
    return causes_are_current(app) ? why_tool(app)->table.get() : nullptr;
}

bool has_line_hits(const App& app) {
    const CauseTable* table = launch_causes(app);
    return table && !table->lines.empty();
}

const LineHits* line_hits(const App& app, int line) {
    const CauseTable* table = launch_causes(app);
    if (!table) return nullptr;
    for (const LineHits& hits : table->lines)
        if (hits.line == line && is_file(hits.file, app.stage().file)) return &hits;
    return nullptr;
}

bool has_line_shares(const App& app) {
    const CauseTable* table = launch_causes(app);
    return table && !table->time_by_line.empty();
}

double line_share(const App& app, int line) {
    if (!has_line_shares(app)) return -1;
    for (const LineShare& share : launch_causes(app)->time_by_line)
        if (share.line == line && is_file(share.file, app.stage().file)) return share.share;
    return 0;
}

bool was_stopped(const App& app) { return causes_are_current(app) && why_tool(app)->stopped; }

void press_model_launch(App& app) {
    if (was_stopped(app)) why_tool(app).of = nullptr;
}

uint64_t why_moves(const App& app) { return why_tool(app) ? why_tool(app)->moves : 0; }

IssuesFigureInput issues_input(const App& app, float width) {
    const Analysis& launch = *app.of_launch();
    const CauseTable* table = launch_causes(app);
    IssuesFigureInput input;
    if (table && table->is_calibrated)
        input = issues_figure_of(*table, launch.report);
    else if (table)
        input = issues_figure_of(launch, table->sentence);
    else if (causes_are_current(app) && !why_tool(app)->failure.empty())
        input = issues_figure_of(launch, why_tool(app)->failure);
    else
        input.instead = was_stopped(app) ? "Its time was not modelled."
                                         : "The model of launches works out where the time goes …";
    input.line = highlighted_line(app);
    input.width = width;
    return input;
}

bool causes_due(const App& app) {
    return app.shared_launch() && !app.stale.analysis && !app.activity.analysis &&
           !causes_are_current(app) && is_wanted(app);
}

bool wants_causes(App& app) {
    if (!causes_due(app)) return false;
    WhyTool& tool = why_tool(app);
    const uint64_t moves = tool.moves + 1;
    tool = {};
    tool.moves = moves;
    tool.of = app.shared_launch();
    tool.running = true;
    return true;
}

void take_causes(App& app, CauseTable table) {
    WhyTool& tool = why_tool(app);
    tool.running = false;
    ++tool.moves;
    if (causes_are_current(app)) tool.table = std::make_shared<const CauseTable>(std::move(table));
}

// "": it was cancelled.
void fail_causes(App& app, const std::string& message) {
    WhyTool& tool = why_tool(app);
    tool.running = false;
    tool.failure = message;
    tool.stopped = message.empty();
    ++tool.moves;
}

// What is under way was stopped for another picture. Of the same launch it is asked for once more.
void renew_causes(App& app) {
    WhyTool& tool = why_tool(app);
    if (!tool.running) return;
    tool.of = nullptr;
    tool.running = false;
}

}  // namespace lanewise::ui
