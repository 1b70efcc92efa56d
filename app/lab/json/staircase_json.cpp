#include "lab/json/staircase_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "lab/json/json.h"

namespace lanewise {

namespace fs = std::filesystem;

static Json step_json(const StaircaseStep& step) {
    const StaircaseAccess& a = step.access;
    return {{"name", a.name},          {"bytes_per_lane", a.bytes_per_lane},
            {"is_store", a.is_store},  {"of_stage", a.of_stage},
            {"line", a.line},          {"mask", a.mask},
            {"offsets", a.offsets},    {"wavefronts", a.wavefronts},
            {"samples", step.samples}, {"cycles", step.cycles},
            {"seen", step.seen}};
}

static StaircaseStep step_from(const Json& json) {
    StaircaseStep step;
    StaircaseAccess& a = step.access;
    json.at("name").get_to(a.name);
    json.at("bytes_per_lane").get_to(a.bytes_per_lane);
    json.at("is_store").get_to(a.is_store);
    json.at("of_stage").get_to(a.of_stage);
    json.at("line").get_to(a.line);
    json.at("mask").get_to(a.mask);
    json.at("offsets").get_to(a.offsets);
    json.at("wavefronts").get_to(a.wavefronts);
    json.at("samples").get_to(step.samples);
    return step;
}

// Cycles, lines and what was seen are derived: from_json works them out anew.
void to_json(Json& json, const Staircase& staircase) {
    Json steps = Json::array(), lines = Json::array();
    for (const StaircaseStep& step : staircase.steps) steps.push_back(step_json(step));
    for (const StaircaseLine& line : staircase.lines)
        lines.push_back({{"bytes_per_lane", line.bytes_per_lane},
                         {"is_store", line.is_store},
                         {"base", line.base},
                         {"cycles_per_wavefront", line.per_wavefront},
                         {"worst", line.worst}});
    json = {{"schema", kStaircaseSchema},
            {"stage", staircase.stage},
            {"knobs", staircase.knobs},
            {"type", staircase.type},
            {"steps", steps},
            {"lines", lines},
            {"provenance", staircase.provenance},
            {"note", staircase.note}};
}

void from_json(const Json& json, Staircase& staircase) {
    json.at("stage").get_to(staircase.stage);
    json.at("knobs").get_to(staircase.knobs);
    json.at("type").get_to(staircase.type);
    json.at("provenance").get_to(staircase.provenance);
    json.at("note").get_to(staircase.note);
    for (const Json& step : json.at("steps")) staircase.steps.push_back(step_from(step));
    fit_staircase(staircase);
}

std::string staircase_csv(const Staircase& staircase) {
    const Provenance& p = staircase.provenance;
    std::string text =
        fmt::format("# {}, driver {}, {}, {}\n", p.card, p.driver, p.compiler, p.date);
    text += "access;line;of_stage;is_store;bytes_per_lane;wavefronts;cycles;p05;p95;seen\n";
    for (const StaircaseStep& step : staircase.steps) {
        const StaircaseAccess& a = step.access;
        text += fmt::format("{};{};{};{};{};{};{:.3f};{:.3f};{:.3f};{:.2f}\n", a.name, a.line,
                            int{a.of_stage}, int{a.is_store}, a.bytes_per_lane, a.wavefronts,
                            step.cycles.median, step.cycles.p05, step.cycles.p95, step.seen);
    }
    return text;
}

Staircase read_staircase(const fs::path& file) {
    try {
        Json json = Json::parse(read_file(file));
        int schema = json.at("schema");
        if (schema != kStaircaseSchema)
            throw Error(Status::bad_input,
                        fmt::format("{} has schema {}, and this program reads {}: take it again "
                                    "with `lanewise-engine probe --json`, or update the program",
                                    file.string(), schema, kStaircaseSchema));
        return json.get<Staircase>();
    } catch (const Json::exception& error) {
        throw Error(Status::bad_input, fmt::format("{} is no staircase: {}; take it again with "
                                                   "`lanewise-engine probe --json`",
                                                   file.string(), error.what()));
    }
}

std::vector<Staircase> read_staircases(const fs::path& folder, std::vector<std::string>& problems) {
    std::vector<fs::path> files;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Staircase> staircases;
    for (const fs::path& file : files) {
        try {
            staircases.push_back(read_staircase(file));
        } catch (const Error& error) {
            problems.emplace_back(error.what());
        }
    }
    return staircases;
}

}  // namespace lanewise
