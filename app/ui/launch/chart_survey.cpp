// The roofline needs the counts of every stage, not of the chosen one alone: while it is shown, the
// engine counts one after the other.
#include <fmt/format.h>

#include <algorithm>

#include "ui/launch/charts.h"

namespace lanewise::ui {
namespace {

// Counting takes as long as the matrix is large, and the share of useful bytes changes no more.
constexpr int64_t kLargest = 4096;

std::string shape_of(const App& app) {
    return fmt::format("{}x{} {}", std::min(app.chosen().rows, kLargest),
                       std::min(app.chosen().cols, kLargest), app.chosen().type);
}

bool countable(const App& app, const Stage& stage) {
    const Stage& chosen = app.content.catalogue.stages()[app.chosen().stage];
    const std::vector<std::string>& types = stage.types;
    return stage.operation == ladder_of(chosen) && stage.error.empty() && !is_exercise(stage) &&
           !is_library_call(stage) && operation_of(stage).rate == Operation::Rate::bytes &&
           std::find(types.begin(), types.end(), app.chosen().type) != types.end();
}

}  // namespace

std::optional<Job> next_survey(App& app) {
    if (!charts_shown(app) || !chart_kinds()[charts(app).chosen].needs_traffic) return {};
    Charts& c = charts(app);
    if (c.traffic_for != shape_of(app)) {
        c.traffic.clear();
        c.traffic_for = shape_of(app);
    }
    for (const Stage& stage : app.content.catalogue.stages()) {
        if (!countable(app, stage) || c.traffic.contains(stage.id)) continue;
        Job job;
        job.stage = stage;
        job.knobs = default_knobs(stage);
        job.type = app.chosen().type;
        job.rows = std::min(app.chosen().rows, kLargest);
        job.cols = std::min(app.chosen().cols, kLargest);
        return job;
    }
    return {};
}

void take_survey(App& app, const Job& job, const Analysis* analysis) {
    Charts& c = charts(app);
    if (fmt::format("{}x{} {}", job.rows, job.cols, job.type) != c.traffic_for) return;
    c.traffic[job.stage.id] = analysis ? traffic_of(*analysis) : StageTraffic{};
    ++app.revision;
}

}  // namespace lanewise::ui
