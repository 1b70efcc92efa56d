#include "service/gpu_json.h"

#include <nlohmann/json.hpp>

namespace lanewise {

using Json = nlohmann::json;

namespace {

// Calls f(name, value) for each field, to read or to write it.
template <typename Gpu, typename F>
void each_field(Gpu& gpu, F f) {
    f("index", gpu.index);
    f("name", gpu.name);
    f("uuid", gpu.uuid);
    f("arch", gpu.arch);
    f("driver", gpu.driver);
    f("sm_count", gpu.sm_count);
    f("max_threads_per_sm", gpu.max_threads_per_sm);
    f("max_blocks_per_sm", gpu.max_blocks_per_sm);
    f("registers_per_sm", gpu.registers_per_sm);
    f("shared_bytes_per_sm", gpu.shared_bytes_per_sm);
    f("shared_bytes_per_block", gpu.shared_bytes_per_block);
    f("total_bytes", gpu.total_bytes);
    f("l2_bytes", gpu.l2_bytes);
    f("sm_clock_mhz", gpu.sm_clock_mhz);
    f("memory_clock_mhz", gpu.memory_clock_mhz);
    f("memory_bus_bits", gpu.memory_bus_bits);
}

}  // namespace

void to_json(Json& json, const GpuDescription& gpu) {
    each_field(gpu, [&](const char* name, const auto& value) { json[name] = value; });
}

void from_json(const Json& json, GpuDescription& gpu) {
    each_field(gpu, [&](const char* name, auto& value) { json.at(name).get_to(value); });
}

void to_json(Json& json, const GpuStatus& status) {
    json = {{"found", status.found},
            {"gpu", status.gpu},
            {"all", status.all},
            {"problem", status.problem}};
}

void from_json(const Json& json, GpuStatus& status) {
    json.at("found").get_to(status.found);
    json.at("gpu").get_to(status.gpu);
    json.at("all").get_to(status.all);
    json.at("problem").get_to(status.problem);
}

}  // namespace lanewise
