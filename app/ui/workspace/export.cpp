// All that is shown as JSON, "lanewise_export": 1: the laboratory's own forms of block, counts and
// times (lab/json/json.h), and what is chosen.
#include <nlohmann/json.hpp>

#include "figure/drawing/figures.h"
#include "lab/json/json.h"
#include "lab/json/staircase_json.h"
#include "lab/mismatch/mismatch_map.h"
#include "ui/desk/tools.h"
#include "ui/desk/workspace.h"
#include "ui/launch/products.h"

namespace lanewise::ui {

namespace {

const char* name_of(Ink ink) {
    return ink == Ink::good ? "better" : ink == Ink::bad ? "worse" : "neither";
}

// What is shown against the baseline, or against the run before.
Json against_json(const History& history) {
    const auto& against = history.against;
    Json counts = Json::array(), lines = Json::array(), findings = Json::array();
    for (const Difference& each : against.found.rows)
        counts.push_back({{"name", each.name},
                          {"before", each.before},
                          {"now", each.now},
                          {"change", each.change},
                          {"is", name_of(each.ink)}});
    for (const LineChange& each : against.found.lines)
        lines.push_back({{"line", each.line},
                         {"line_before", each.line_before},
                         {"text", each.text},
                         {"unit", each.unit},
                         {"before", each.before},
                         {"now", each.now}});
    for (const FindingChange& each : against.found.findings) {
        const KeptFinding& known = each.now.line || !each.now.kind.empty() ? each.now : each.before;
        findings.push_back({{"change", word_of(each.kind)},
                            {"kind", known.kind},
                            {"space", known.space},
                            {"message", known.message},
                            {"line", each.now.line},
                            {"line_before", each.before.line},
                            {"count", each.now.count},
                            {"count_before", each.before.count}});
    }
    return {{"what", against.pinned ? "baseline" : "run before"},
            {"title", against.before.title},
            {"link", against.before.link},
            {"rows", counts},
            {"equal_counts", against.found.equal},
            {"lines", lines},
            {"findings", findings}};
}

// What the views beside the warp's show, each only where it has arrived.
void add_pictures(Json& json, const App& app) {
    const Forge& forge = app.tools->forge;
    if (forge.result && forge.result->stage == app.stage().id) json["forge"] = *forge.result;
    const FlowTool& flow = app.tools->flow;
    if (app.arrived.picture && flow.picture == app.arrived.picture) json["flow_step"] = flow.step;
    if (flow.walk && flow.walk->stage == app.stage().id) json["block_walk"] = *flow.walk;
    const MismatchPage& mismatch = app.tools->mismatch;
    if (mismatch.map && mismatch.of == app.arrived.analysis) json["mismatch_map"] = *mismatch.map;
    if (!app.products || !app.products->pictures) return;
    ProductPictures pictures = *app.products->pictures;
    if (pictures.stage != app.stage().id) return;
    pictures.reuse = app.products->reuse;
    json["product_pictures"] = pictures;
}

}  // namespace

std::string everything_as_json(const App& app) {
    Json json = {{"lanewise_export", 1}};
    json["state"] = link_of(shared_state(app));
    json["setting"] = setting_in_words(app);
    json["job"] = job_of(app);
    json["warp"] = app.chosen().warp;
    json["block"] = app.chosen().block;
    if (app.arrived.picture) json["picture"] = *app.arrived.picture;
    if (app.beside[0].picture) json["comparison"] = *app.beside[0].picture;
    if (app.beside[1].picture) json["second_comparison"] = *app.beside[1].picture;
    if (app.arrived.analysis) json["analysis"] = trace_json(*app.arrived.analysis);
    Json counts = Json::array();
    for (const CountRow& row : app.derived.counts) {
        Json each = {{"name", row.name}, {"counted", row.counted}, {"ideal", row.ideal}};
        if (row.has_measured) each["measured"] = row.measured;
        counts.push_back(std::move(each));
    }
    json["counts"] = counts;
    json["counts_measured_by"] = app.derived.counts_source;
    json["counts_compiled_by"] = app.derived.counts_compiler;
    if (app.own && app.arrived.own_measurement)
        json["measurement"] = own_run_json(*app.arrived.own_measurement);
    Shown shown = app.own ? Shown{} : shown_measurement(app);
    if (shown.measurement) {
        json["measurement"] = *shown.measurement;
        json["measured"] = shown.live ? "here" : "recorded";
        // A field of its own, as the machine's below.
        if (json["measurement"].contains("mismatch_map")) {
            json["gpu_mismatch_map"] = std::move(json["measurement"]["mismatch_map"]);
            json["measurement"].erase("mismatch_map");
        }
    }
    add_pictures(json, app);
    if (app.arrived.staircase) json["staircase"] = *app.arrived.staircase;
    if (compare_with_before(app)) json["against"] = against_json(app.tools->history);
    json["history"] = Json::parse(history_text(app.tools->history));
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lanewise::ui
