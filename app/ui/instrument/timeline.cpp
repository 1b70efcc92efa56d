#include "ui/desk/timeline.h"

#include "base/text.h"
#include "ui/desk/tools.h"
#include "ui/instrument/panes.h"
#include "ui/launch/follow.h"

namespace lanewise::ui {

bool timeline_shown(const App& app) { return app.chosen().tab == "timeline"; }

TimelineTool& timeline_of(App& app) {
    TimelineTool& tool = app.tools->timeline;
    if (tool.picture == app.arrived.picture) return tool;
    tool.picture = app.arrived.picture;
    tool.timeline = {};
    if (app.arrived.picture) tool.timeline = block_timeline(app.arrived.picture->block, app.arrived.picture->report);
    tool.shown = {};
    ++tool.moves;
    return tool;
}

// The moment that is chosen, or the chosen access of the space in which its line loses more.
static int chosen_moment(const App& app) {
    const int moment = shown_step(app);
    if (app.chosen().step >= 0 || !loses_in_banks(app)) return moment;
    const int row = chosen_row(app, Space::shared);
    for (size_t i = 0; i < app.derived.life.size(); ++i)
        if (app.derived.life[i].is_shared() && app.derived.life[i].row == row)
            return static_cast<int>(i);
    return moment;
}

TimelineFigureInput timeline_input(const App& app, float width, float height) {
    const TimelineTool& tool = app.tools->timeline;
    TimelineFigureInput input;
    input.timeline = &tool.timeline;
    input.from = tool.shown.from;
    input.to = tool.shown.to;
    input.warp = app.chosen().warp;
    input.index = chosen_moment(app);
    input.width = width;
    input.height = height;
    return input;
}

static void show_ticks(TimelineTool& tool, TickWindow shown) {
    if (shown == tool.shown) return;
    tool.shown = shown;
    ++tool.moves;
}

void zoom_timeline(App& app, double at, double factor) {
    TimelineTool& tool = timeline_of(app);
    show_ticks(tool, zoomed(tool.timeline, tool.shown, at, factor));
}

void drag_timeline(App& app, double ticks) {
    TimelineTool& tool = timeline_of(app);
    if (tool.shown.to > tool.shown.from)
        show_ticks(tool, dragged(tool.timeline, tool.shown, ticks));
}

void show_whole_timeline(App& app) { show_ticks(timeline_of(app), {}); }

void choose_moment(App& app, uint32_t warp, int index) {
    if (app.chosen().warp != warp) {
        choose_warp(app, static_cast<int>(warp));
        rest(app);  // the step that was chosen is another warp's
    }
    choose_step(app, index);
}

void follow_timeline(App& app, const std::string& action) {
    const bool moment = action.starts_with("moment:") || action.starts_with("worst:");
    if (!moment) return follow_figure(app, action);
    const size_t first = action.find(':'), second = action.find(':', first + 1);
    int64_t warp = 0, index = 0;
    if (second != std::string::npos &&
        parse_integer(action.substr(first + 1, second - first - 1), warp) &&
        parse_integer(action.substr(second + 1), index))
        choose_moment(app, static_cast<uint32_t>(warp), static_cast<int>(index));
}

}  // namespace lanewise::ui
