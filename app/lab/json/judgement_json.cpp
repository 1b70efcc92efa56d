// What a source is held to at a gate, and what came of it, on the wire.
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lab/grade/judgement.h"
#include "lab/json/json.h"

namespace lanewise {

static Json json_of(const GateCase& one) {
    return {{"set", one.at.set},   {"type", one.at.type},   {"rows", one.at.rows},
            {"cols", one.at.cols}, {"inner", one.at.inner}, {"input", one.input},
            {"batch", one.batch},  {"expect", one.expect},  {"offered", one.offered}};
}
static GateCase case_of(const Json& json) {
    GateCase one;
    json.at("set").get_to(one.at.set);
    json.at("type").get_to(one.at.type);
    json.at("rows").get_to(one.at.rows);
    json.at("cols").get_to(one.at.cols);
    json.at("inner").get_to(one.at.inner);
    json.at("input").get_to(one.input);
    json.at("batch").get_to(one.batch);
    json.at("expect").get_to(one.expect);
    json.at("offered").get_to(one.offered);
    return one;
}

void to_json(Json& json, const GateTask& task) {
    json = {{"stage", task.stage}, {"reference", task.reference}, {"library", task.library},
            {"types", task.types}, {"expect", task.expect},       {"cases", Json::array()}};
    for (const GateCase& one : task.cases) json["cases"].push_back(json_of(one));
}
void from_json(const Json& json, GateTask& task) {
    json.at("stage").get_to(task.stage);
    json.at("reference").get_to(task.reference);
    json.at("library").get_to(task.library);
    json.at("types").get_to(task.types);
    json.at("expect").get_to(task.expect);
    for (const Json& one : json.at("cases")) task.cases.push_back(case_of(one));
}

// In the order of Judgement::Why.
constexpr const char* kWhy[] = {"none", "head", "launch", "result", "finding", "count", "setting"};

void to_json(Json& json, const Judgement& judgement) {
    json = {{"why", kWhy[static_cast<size_t>(judgement.why)]},
            {"sentence", judgement.sentence},
            {"cases", judgement.cases},
            {"held", judgement.held},
            {"has_case", judgement.has_case},
            {"knobs", judgement.knobs},
            {"type", judgement.type},
            {"input", judgement.input},
            {"rows", judgement.rows},
            {"cols", judgement.cols},
            {"inner", judgement.inner},
            {"batch", judgement.batch},
            {"mismatch", judgement.mismatch},
            {"findings", judgement.findings}};
}
void from_json(const Json& json, Judgement& judgement) {
    const std::string why = json.at("why");
    const auto* known = std::find(std::begin(kWhy), std::end(kWhy), why);
    // A reason that only a newer engine knows is one all the same.
    judgement.why = known == std::end(kWhy) ? Judgement::Why::launch
                                            : static_cast<Judgement::Why>(known - std::begin(kWhy));
    json.at("sentence").get_to(judgement.sentence);
    json.at("cases").get_to(judgement.cases);
    json.at("held").get_to(judgement.held);
    json.at("has_case").get_to(judgement.has_case);
    json.at("knobs").get_to(judgement.knobs);
    json.at("type").get_to(judgement.type);
    json.at("input").get_to(judgement.input);
    json.at("rows").get_to(judgement.rows);
    json.at("cols").get_to(judgement.cols);
    json.at("inner").get_to(judgement.inner);
    json.at("batch").get_to(judgement.batch);
    json.at("mismatch").get_to(judgement.mismatch);
    json.at("findings").get_to(judgement.findings);
}

}  // namespace lanewise
