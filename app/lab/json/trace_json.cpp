// What the command line prints with --json.
#include "lab/json/json.h"

#include <nlohmann/json.hpp>

namespace lanewise {

static Json lines_json(const Report& report) {
    Json lines = Json::array();
    for (const LineReport& line : report.lines) {
        Json one = line.counts;  // the four counts side by side with file and line
        one["file"] = line.file;
        one["line"] = line.line;
        lines.push_back(std::move(one));
    }
    return lines;
}

static Json mismatch_json(const Analysis& analysis) {
    return analysis.correct || !analysis.has_reference ? Json(nullptr) : Json(analysis.mismatch);
}

// What was interpreted of a launch that was not interpreted whole; `correct` is then of these
// elements alone, and of the whole launch null.
static Json sample_json(const Analysis& analysis) {
    Json json = analysis.sample;
    json["correct"] = analysis.correct;
    return json;
}

Json occupancy_json(const Occupancy& occupancy) {
    Json json = occupancy;
    if (occupancy.is_known()) return json;
    for (const char* field : {"blocks_per_sm", "warps_per_sm", "fraction", "limited_by"}) {
        json["at_most"][field] = json[field];
        json[field] = nullptr;
    }
    return json;
}

// A kernel from outside the catalogue has no matrix and no reference: those fields are null, and
// `notes` says why. A product has `inner`, `input` and `error` besides, and `sample` where only some
// of its blocks were interpreted: `totals` and `lines` count those.
Json trace_json(const Analysis& analysis) {
    Json params = analysis.knobs;
    bool of_stage = analysis.has_reference;
    if (of_stage) params["type"] = analysis.type;
    auto if_stage = [of_stage](auto value) { return of_stage ? Json(value) : Json(nullptr); };
    Json json = {{"stage", analysis.stage},
                 {"rows", if_stage(analysis.rows)},
                 {"cols", if_stage(analysis.cols)},
                 {"batch", if_stage(analysis.batch)},
                 {"params", params},
                 {"launch", analysis.launch},
                 {"correct", if_stage(analysis.correct)},
                 {"notes", analysis.notes},
                 {"mismatch", mismatch_json(analysis)},
                 {"totals", analysis.report.totals},
                 {"lines", lines_json(analysis.report)},
                 {"findings", analysis.report.findings},
                 {"printed", analysis.report.printed},
                 {"printed_total", analysis.report.printed_total},
                 {"checked_blocks", analysis.report.checked_blocks},
                 {"compiler", analysis.compiler},
                 {"occupancy", occupancy_json(analysis.occupancy)},
                 {"prediction", analysis.prediction},
                 {"issues", analysis.issues},
                 {"warp_instructions", analysis.report.warp_instructions},
                 {"compile_ms", analysis.compile_ms},
                 {"interpret_ms", analysis.interpret_ms},
                 {"threads", analysis.threads}};
    json["prediction"]["model"] = "bandwidth";
    if (analysis.inner == kNoInner) return json;
    json["inner"] = analysis.inner;
    json["input"] = analysis.input;
    json["error"] = analysis.error;
    if (!analysis.sample.is_used()) return json;
    json["correct"] = nullptr;
    json["sample"] = sample_json(analysis);
    return json;
}

Json stage_json(const Stage& stage) {
    Json knobs = Json::array();
    for (const Knob& knob : stage.knobs)
        knobs.push_back({{"name", knob.name},
                         {"choices", knob.choices},
                         {"default", knob.value},
                         {"help", knob.help}});
    return {{"id", stage.id},
            {"title", stage.title},
            {"operation", stage.operation},
            {"file", stage.file},
            {"knobs", knobs},
            {"types", stage.types},
            {"error", stage.error.empty() ? Json(nullptr) : Json(stage.error)}};
}

}  // namespace lanewise
