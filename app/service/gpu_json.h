// What a worker says of the GPUs of its machine, as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "gpu/device.h"

namespace lanewise {

void to_json(nlohmann::json&, const GpuDescription&);
void from_json(const nlohmann::json&, GpuDescription&);
void to_json(nlohmann::json&, const GpuStatus&);
void from_json(const nlohmann::json&, GpuStatus&);

}  // namespace lanewise
