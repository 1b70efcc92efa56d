// Choosing a chart and what is shown of it.
#include "ui/launch/charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "lab/chart/chart_sparse.h"
#include "ui/launch/chart_offer.h"
#include "ui/launch/follow.h"

namespace lanewise::ui {

static std::vector<ChartKind> all_charts() {
    std::vector<ChartKind> all = {
        {"ladder", "Ladder", "Every stage's GB/s with spread, copy, datasheet, model and published",
         [](const App& app) { return app.derived.ladder; }}};
    for (const ChartOfFacts& chart : kChartsOfFacts)
        all.push_back({chart.id, chart.title, chart.what,
                       [&chart](const App& app) { return chart.make(chart_facts(app)); },
                       chart.needs_traffic});
    all.push_back({"waterfall", "Waterfall",
                   "Where the GB/s of this setting go, as the model explains it",
                   [](const App& app) { return waterfall_of(app); }});
    all.push_back({"occupancy", "Occupancy", "How blocks of this setting fill a multiprocessor",
                   [](const App& app) { return occupancy_of(app); }});
    all.push_back({"staircase", "Staircase", "What a wavefront of shared memory costs in cycles",
                   [](const App& app) { return app.derived.staircase; }});
    return all;
}

std::span<const ChartKind> chart_kinds() {
    static const std::vector<ChartKind> all = all_charts();
    return all;
}

Charts& charts(App& app) {
    if (!app.charts) app.charts = std::make_shared<Charts>();
    return *app.charts;
}

bool charts_shown(const App& app) { return app.chosen().tab == "charts"; }

bool charts_are_wide(const App& app) { return charts_shown(app) && app.charts && app.charts->wide; }

ChartFacts chart_facts(const App& app) {
    ChartFacts facts;
    facts.stages = app.content.catalogue.stages();
    facts.recordings = app.content.recordings;
    facts.live = app.arrived.live;
    facts.published = app.content.published;
    facts.profiles = app.content.profiles;
    facts.operation = ladder_of(app.content.catalogue.stages()[app.chosen().stage]);
    facts.type = app.chosen().type;
    facts.rows = app.chosen().rows;
    facts.cols = app.chosen().cols;
    if (app.charts) facts.traffic = app.charts->traffic;
    if (app.own) return facts;
    facts.stage = app.course_id();
    facts.knobs = app.chosen().knobs;
    return facts;
}

bool chart_offered(const App& app, size_t chart) {
    if (chart_kinds()[chart].id != std::string_view("sparse")) return true;
    static struct {
        uint64_t revision = ~uint64_t{0};
        std::string stage;
        bool offered = false;
    } kept;  // only one window asks, at every frame
    if (kept.revision != app.revision || kept.stage != app.course_id())
        kept = {app.revision, app.course_id(), sparse_stage(chart_facts(app)) != nullptr};
    return kept.offered;
}

static size_t index_of(const std::string& id) {
    std::vector<std::string> ids;
    for (const ChartKind& kind : chart_kinds()) {
        if (id == kind.id) return ids.size();
        ids.emplace_back(kind.id);
    }
    std::string near = closest(id, ids), all;
    for (const std::string& each : ids) all += (all.empty() ? "" : ", ") + each;
    throw Error(Status::bad_input,
                "no chart \"" + id + "\"" +
                    (near.empty() ? "; there are " + all : "; did you mean \"" + near + "\"?"));
}

void check_chart(const std::string& id) { index_of(id); }

void choose_chart(App& app, const std::string& id) { charts(app).chosen = index_of(id); }

void step_chart(App& app, int by) {
    auto last = static_cast<int>(chart_kinds().size()) - 1;
    int next = static_cast<int>(charts(app).chosen) + by;
    while (next >= 0 && next <= last && !chart_offered(app, static_cast<size_t>(next))) next += by;
    if (next >= 0 && next <= last) charts(app).chosen = static_cast<size_t>(next);
}

static PlotWindow& window_of(App& app) {
    return charts(app).windows[chart_kinds()[charts(app).chosen].id];
}

void zoom_chart(App& app, double factor) {
    window_of(app) = zoomed(window_of(app), 0.5, 0.5, factor);
}
void move_chart(App& app, double x, double y) { window_of(app) = moved(window_of(app), x, y); }
void reset_chart(App& app) { window_of(app) = {}; }

void toggle_save(App& app, PictureOf of) {
    Charts& c = charts(app);
    c.save_open = !c.save_open || c.save_of != of;
    c.save_of = of;
    if (c.save_open && c.folder.empty()) c.folder = pictures_folder().string();
}

// "TILE=32,ROWS=8" of the chosen stage, all at once: not every pair in between may be offered.
static void set_knobs(App& app, const std::string& settings) {
    KnobValues knobs = app.chosen().knobs;
    for (std::string_view each : split(settings, ',')) {
        size_t equals = each.find('=');
        int64_t value = 0;
        if (equals == std::string_view::npos || !parse_integer(each.substr(equals + 1), value))
            continue;
        knobs[std::string(each.substr(0, equals))] = value;
    }
    if (app.own || !knob_problem(app.stage(), knobs, app.chosen().type).empty()) return;
    select(app, [&](Selection& now) {
        now.knobs = knobs;
        now.access[0] = now.access[1] = -1;
    });
    mark_all_stale(app);
    derive(app);
}

void follow_chart(App& app, const std::string& action) {
    for (std::string_view each : split(action, ';')) {
        if (each.starts_with("set:"))
            set_knobs(app, std::string(each.substr(4)));
        else if (!each.empty())
            follow_figure(app, std::string(each));
    }
}

}  // namespace lanewise::ui
