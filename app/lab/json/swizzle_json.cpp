// What is asked of the forge and what it answers, on the wire.
#include <nlohmann/json.hpp>

#include "lab/change/swizzle.h"
#include "lab/json/json.h"

namespace lanewise {

void to_json(Json& json, const SwizzleTrial& trial) {
    json = {{"expression", trial.expression}, {"pad", trial.pad}};
}
void from_json(const Json& json, SwizzleTrial& trial) {
    json.at("expression").get_to(trial.expression);
    json.at("pad").get_to(trial.pad);
}

static Json json_of(const SharedCounts& counts) {
    return {counts.instructions, counts.wavefronts, counts.wavefronts_ideal, counts.bytes};
}
static SharedCounts counts_of(const Json& json) {
    return {json.at(0).get<uint64_t>(), json.at(1).get<uint64_t>(), json.at(2).get<uint64_t>(),
            json.at(3).get<uint64_t>()};
}

void to_json(Json& json, const SwizzleResult& result) {
    json = {{"stage", result.stage},
            {"trial", result.trial},
            {"problem", result.problem},
            {"problem_column", result.problem_column},
            {"rows", result.map.rows},
            {"cols", result.map.cols},
            {"pitch", result.map.pitch},
            {"columns", result.map.columns},
            {"element_bytes", result.element_bytes},
            {"store", json_of(result.store)},
            {"load", json_of(result.load)},
            {"verified_rows", result.verified_rows},
            {"verified_cols", result.verified_cols},
            {"correct", result.correct},
            {"wrong", result.wrong},
            {"findings", result.findings},
            {"source", result.source},
            {"accesses", Json::array()}};
    for (const TileAccess& access : result.accesses)
        json["accesses"].push_back({{"warp", access.warp},
                                    {"mask", access.mask},
                                    {"is_store", access.is_store},
                                    {"line", access.line},
                                    {"bytes_per_lane", access.bytes_per_lane},
                                    {"wavefronts", access.wavefronts},
                                    {"wavefronts_ideal", access.wavefronts_ideal},
                                    {"elements", access.elements},
                                    {"addresses", access.addresses}});
}

void from_json(const Json& json, SwizzleResult& result) {
    json.at("stage").get_to(result.stage);
    json.at("trial").get_to(result.trial);
    json.at("problem").get_to(result.problem);
    json.at("problem_column").get_to(result.problem_column);
    json.at("rows").get_to(result.map.rows);
    json.at("cols").get_to(result.map.cols);
    json.at("pitch").get_to(result.map.pitch);
    json.at("columns").get_to(result.map.columns);
    json.at("element_bytes").get_to(result.element_bytes);
    result.store = counts_of(json.at("store"));
    result.load = counts_of(json.at("load"));
    json.at("verified_rows").get_to(result.verified_rows);
    json.at("verified_cols").get_to(result.verified_cols);
    json.at("correct").get_to(result.correct);
    json.at("wrong").get_to(result.wrong);
    json.at("findings").get_to(result.findings);
    json.at("source").get_to(result.source);
    for (const Json& each : json.at("accesses")) {
        TileAccess access;
        each.at("warp").get_to(access.warp);
        each.at("mask").get_to(access.mask);
        each.at("is_store").get_to(access.is_store);
        each.at("line").get_to(access.line);
        each.at("bytes_per_lane").get_to(access.bytes_per_lane);
        each.at("wavefronts").get_to(access.wavefronts);
        each.at("wavefronts_ideal").get_to(access.wavefronts_ideal);
        each.at("elements").get_to(access.elements);
        each.at("addresses").get_to(access.addresses);
        result.accesses.push_back(std::move(access));
    }
}

}  // namespace lanewise
