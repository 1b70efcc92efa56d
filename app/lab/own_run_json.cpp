// What `run --json` prints of a kernel from outside the catalogue.
#include "lab/json.h"

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
    return {{"stage", m.file},
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
}

}  // namespace lanewise
