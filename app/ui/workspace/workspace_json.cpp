// Workspaces and the history of runs as JSON: the only place that knows their fields.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/json/json.h"
#include "ui/desk/workspace.h"

namespace lanewise::ui {
namespace {

constexpr int kFileVersion = 1;  // of both; a field more needs no new one
constexpr const char* kIsWorkspace = "lanewise_workspace";
constexpr const char* kIsHistory = "lanewise_history";

Json json_of(const KeptFinding& each) {
    return {{"kind", each.kind}, {"space", each.space}, {"text", each.text},
            {"line", each.line}, {"count", each.count}, {"message", each.message}};
}

KeptFinding finding_from(const Json& json) {
    return {json.at("kind"),    json.at("space"), json.at("text"),
            json.at("message"), json.at("line"),  json.at("count")};
}

Json json_of(const KeptLine& each) {
    return {{"text", each.text},
            {"line", each.line},
            {"requests", each.requests},
            {"sectors", each.sectors},
            {"instructions", each.instructions},
            {"wavefronts", each.wavefronts}};
}

KeptLine line_from(const Json& json) {
    return {json.at("text"),    json.at("line"),         json.at("requests"),
            json.at("sectors"), json.at("instructions"), json.at("wavefronts")};
}

Json json_of(const Snapshot& s) {
    Json counts = Json::object();
    Json order = Json::array();
    for (const auto& [name, count] : s.counts) {
        counts[name] = count;
        order.push_back(name);
    }
    Json json = {{"when", s.when},   {"title", s.title},     {"link", s.link},
                 {"note", s.note},   {"counted", s.counted}, {"correct", s.correct},
                 {"counts", counts}, {"order", order},       {"findings", s.findings}};
    for (const KeptFinding& each : s.found) json["found"].push_back(json_of(each));
    for (const KeptLine& each : s.lines) json["lines"].push_back(json_of(each));
    if (!s.card.empty())
        json["time"] = {{"card", s.card},     {"recorded", s.recorded}, {"median_us", s.time_us},
                        {"p05_us", s.p05_us}, {"p95_us", s.p95_us},     {"gb_per_s", s.gb_per_s}};
    return json;
}

Snapshot snapshot_from(const Json& json) {
    Snapshot s;
    json.at("when").get_to(s.when);
    json.at("title").get_to(s.title);
    json.at("link").get_to(s.link);
    json.at("note").get_to(s.note);
    json.at("counted").get_to(s.counted);
    json.at("correct").get_to(s.correct);
    for (const Json& name : json.at("order"))
        s.counts.emplace_back(name.get<std::string>(),
                              json.at("counts").at(name.get<std::string>()).get<uint64_t>());
    json.at("findings").get_to(s.findings);
    // Both are of a later program of this version: what an older one kept has neither.
    if (json.contains("found"))
        for (const Json& each : json["found"]) s.found.push_back(finding_from(each));
    if (json.contains("lines"))
        for (const Json& each : json["lines"]) s.lines.push_back(line_from(each));
    if (!json.contains("time")) return s;
    const Json& time = json["time"];
    time.at("card").get_to(s.card);
    time.at("recorded").get_to(s.recorded);
    time.at("median_us").get_to(s.time_us);
    time.at("p05_us").get_to(s.p05_us);
    time.at("p95_us").get_to(s.p95_us);
    time.at("gb_per_s").get_to(s.gb_per_s);
    return s;
}

Json json_of(const History& history) {
    Json runs = Json::array();
    for (const Snapshot& run : history.runs) runs.push_back(json_of(run));
    return {{"runs", runs},
            {"baseline", history.baseline ? json_of(*history.baseline) : Json(nullptr)}};
}

History history_from(const Json& json) {
    History history;
    for (const Json& run : json.at("runs")) history.runs.push_back(snapshot_from(run));
    if (!json.at("baseline").is_null()) history.baseline = snapshot_from(json["baseline"]);
    return history;
}

// The object of a file that says `name` and a version; throws Error(bad_input).
Json object_of(const std::string& text, const char* name, const std::string& what) {
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains(name) || !json[name].is_number_integer())
        throw Error(Status::bad_input, what + " cannot be read: it is cut, or something else.");
    if (json[name].get<int64_t>() > kFileVersion)
        throw Error(
            Status::bad_input,
            what + " needs a newer Lanewise: update this one to open it. It was left as it is.");
    return json;
}

// Whatever a field has instead of what it should have is one sentence.
template <typename Read>
auto reading(const std::string& what, Read read) {
    try {
        return read();
    } catch (const Json::exception& error) {
        throw Error(Status::bad_input,
                    what + " cannot be read: a field of it makes no sense (" + error.what() + ").");
    }
}

}  // namespace

std::string history_text(const History& history) {
    Json json = json_of(history);
    json[kIsHistory] = kFileVersion;
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

History parse_history(const std::string& text) {
    const std::string what = "The history of runs";
    return reading(what, [&] { return history_from(object_of(text, kIsHistory, what)); });
}

std::string workspace_text(const Workspace& workspace) {
    Json json = {{kIsWorkspace, kFileVersion},
                 {"saved", workspace.saved},
                 {"state", link_of(workspace.state)},
                 {"edits", workspace.edits},
                 {"history", json_of(workspace.history)},
                 {"measurements", workspace.measurements}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Workspace parse_workspace(const std::string& text) {
    const std::string what = "This workspace";
    return reading(what, [&] {
        Json json = object_of(text, kIsWorkspace, what);
        Workspace workspace;
        json.at("saved").get_to(workspace.saved);
        workspace.state = parse_link(json.at("state").get<std::string>());
        json.at("edits").get_to(workspace.edits);
        workspace.history = history_from(json.at("history"));
        json.at("measurements").get_to(workspace.measurements);
        return workspace;
    });
}

}  // namespace lanewise::ui
