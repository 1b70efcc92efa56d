// What `run --json` prints of a kernel from outside the catalogue, and how the window reads it.
#include "lab/json/json.h"

#include <nlohmann/json.hpp>

namespace lanewise {

static Json differences_json(const std::vector<BufferDifference>& buffers) {
    Json list = Json::array();
    for (const BufferDifference& buffer : buffers) {
        Json first = nullptr;
        if (!buffer.is_equal())
            first = {{"index", buffer.first}, {"gpu", buffer.gpu}, {"machine", buffer.machine}};
        list.push_back({{"name", buffer.name},
                        {"type", buffer.type},
                        {"elements", buffer.elements},
                        {"different", buffer.different},
                        {"near", buffer.near},
                        {"first", first}});
    }
    return list;
}

Json own_run_json(const OwnMeasurement& m) {
    Json json = {{"stage", m.file},
                 {"params", {{"kernel", m.kernel}, {"args", m.arguments}}},
                 {"launch", m.launch},
                 {"agrees", m.is_near()},
                 {"buffers", differences_json(m.before)},
                 {"buffers_after_timing", differences_json(m.after)},
                 {"findings", m.findings},
                 {"samples_us", m.samples_us},
                 {"launches_per_sample", m.launches_per_sample},
                 {"time_us", m.time_us},
                 {"notes", m.notes},
                 {"provenance", m.provenance}};
    if (m.cluster.x != 0) json["cluster"] = {m.cluster.x, m.cluster.y, m.cluster.z};
    return json;
}

static std::vector<BufferDifference> differences_in(const Json& list) {
    std::vector<BufferDifference> buffers;
    for (const Json& each : list) {
        BufferDifference& buffer = buffers.emplace_back();
        each.at("name").get_to(buffer.name);
        each.at("type").get_to(buffer.type);
        each.at("elements").get_to(buffer.elements);
        each.at("different").get_to(buffer.different);
        each.at("near").get_to(buffer.near);
        const Json& first = each.at("first");
        if (first.is_null()) continue;
        first.at("index").get_to(buffer.first);
        first.at("gpu").get_to(buffer.gpu);
        first.at("machine").get_to(buffer.machine);
    }
    return buffers;
}

OwnMeasurement own_run_from(const Json& json) {
    OwnMeasurement m;
    json.at("stage").get_to(m.file);
    json.at("params").at("kernel").get_to(m.kernel);
    json.at("params").at("args").get_to(m.arguments);
    json.at("launch").get_to(m.launch);
    if (auto sides = json.value("cluster", std::vector<uint32_t>{}); sides.size() == 3)
        m.cluster = {sides[0], sides[1], sides[2]};
    m.before = differences_in(json.at("buffers"));
    m.after = differences_in(json.at("buffers_after_timing"));
    json.at("findings").get_to(m.findings);
    json.at("samples_us").get_to(m.samples_us);
    json.at("launches_per_sample").get_to(m.launches_per_sample);
    json.at("time_us").get_to(m.time_us);
    json.at("notes").get_to(m.notes);
    json.at("provenance").get_to(m.provenance);
    return m;
}

}  // namespace lanewise
