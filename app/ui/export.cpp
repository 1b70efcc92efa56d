// All that is shown as JSON, "lanewise_export": 1: the laboratory's own forms of block, counts and
// times (lab/json.h), and what is chosen.
#include <nlohmann/json.hpp>

#include "figure/figures.h"
#include "lab/json.h"
#include "lab/staircase_json.h"
#include "ui/tools.h"
#include "ui/workspace.h"

namespace lanewise::ui {

std::string everything_as_json(const App& app) {
    Json json = {{"lanewise_export", 1}};
    json["state"] = link_of(shared_state(app));
    json["setting"] = setting_in_words(app);
    json["job"] = job_of(app);
    json["warp"] = app.choice.warp;
    json["block"] = app.choice.block;
    if (app.picture) json["picture"] = *app.picture;
    if (app.beside[0].picture) json["comparison"] = *app.beside[0].picture;
    if (app.beside[1].picture) json["second_comparison"] = *app.beside[1].picture;
    if (app.analysis) json["analysis"] = trace_json(*app.analysis);
    Json counts = Json::array();
    for (const CountRow& row : app.counts) {
        Json each = {{"name", row.name}, {"counted", row.counted}, {"ideal", row.ideal}};
        if (row.has_measured) each["measured"] = row.measured;
        counts.push_back(std::move(each));
    }
    json["counts"] = counts;
    json["counts_measured_by"] = app.counts_source;
    if (app.own && app.own_measurement) json["measurement"] = own_run_json(*app.own_measurement);
    Shown shown = app.own ? Shown{} : shown_measurement(app);
    if (shown.measurement) {
        json["measurement"] = *shown.measurement;
        json["measured"] = shown.live ? "here" : "recorded";
    }
    if (app.live_staircase) json["staircase"] = *app.live_staircase;
    json["history"] = Json::parse(history_text(app.tools->history));
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lanewise::ui
