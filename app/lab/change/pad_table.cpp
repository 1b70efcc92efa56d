#include "lab/change/pad_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/analysis/analysis.h"

namespace lanewise {

using Json = nlohmann::json;

bool has_padding(const Stage& stage) {
    return std::any_of(stage.knobs.begin(), stage.knobs.end(),
                       [](const Knob& knob) { return knob.name == kPadKnob; });
}

static std::vector<std::vector<PadCost>> costs_of(const Picture& picture) {
    std::vector<std::vector<PadCost>> warps(picture.block.warps);
    for (const TracedAccess& access : picture.block.accesses)
        if (picture.report.instructions[access.instruction].space == Space::shared)
            warps[access.warp].push_back({access.wavefronts, access.wavefronts_ideal});
    return warps;
}

static void compute(PadRow& row, const Job& job, uint64_t block) {
    try {
        row.warps = costs_of(trace_block(job, block));
    } catch (const Error& error) {  // no compiler, say, and none of this is shipped
        row.problem = error.what();
    }
}

PadTable pad_table(const Job& given, uint64_t block, const CancelFlag* cancel) {
    Job job = given;
    auto knob = std::find_if(job.stage.knobs.begin(), job.stage.knobs.end(),
                             [](const Knob& each) { return each.name == kPadKnob; });
    if (knob == job.stage.knobs.end())
        throw Error(Status::bad_input, job.stage.id + " has no padding to choose");
    const std::vector<int64_t> offered = knob->choices;
    auto is_offered = [&](int64_t pad) {
        return std::find(offered.begin(), offered.end(), pad) != offered.end();
    };
    // The stage offers only some; the kernel itself compiles for every one.
    knob->choices.clear();
    for (int64_t pad = 0; pad <= kMostPad; ++pad) knob->choices.push_back(pad);
    PadTable table{job.stage.id, block, {}};
    for (int64_t pad = 0; pad <= kMostPad; ++pad) {
        if (cancel && *cancel) throw Cancelled{};
        PadRow row{pad, is_offered(pad), "", {}};
        job.knobs[kPadKnob] = pad;
        row.problem = knob_problem(job.stage, job.knobs, job.type);
        if (row.problem.empty()) compute(row, job, block);
        table.rows.push_back(std::move(row));
    }
    return table;
}

void to_json(Json& json, const PadTable& table) {
    json = {{"stage", table.stage}, {"block", table.block}, {"rows", Json::array()}};
    for (const PadRow& row : table.rows) {
        Json warps = Json::array();
        for (const auto& costs : row.warps) {
            Json list = Json::array();
            for (const PadCost& cost : costs) list.push_back({cost.wavefronts, cost.ideal});
            warps.push_back(std::move(list));
        }
        json["rows"].push_back({{"pad", row.pad},
                                {"offered", row.offered},
                                {"problem", row.problem},
                                {"warps", std::move(warps)}});
    }
}

void from_json(const Json& json, PadTable& table) {
    json.at("stage").get_to(table.stage);
    json.at("block").get_to(table.block);
    for (const Json& each : json.at("rows")) {
        PadRow row;
        each.at("pad").get_to(row.pad);
        each.at("offered").get_to(row.offered);
        each.at("problem").get_to(row.problem);
        for (const Json& warp : each.at("warps")) {
            auto& costs = row.warps.emplace_back();
            for (const Json& cost : warp)
                costs.push_back({cost.at(0).get<int>(), cost.at(1).get<int>()});
        }
        table.rows.push_back(std::move(row));
    }
}

}  // namespace lanewise
