// The debugger's sessions in the engine: one at a time, kept from request to request.
#pragma once
#include <nlohmann/json.hpp>

#include "service/jobs.h"

namespace lanewise {

// "step" {job, from, breaks, watches, command} -> StepShown (lab/json/step_json.h), with the question
// beside the job. Another job's recording takes the place of the one that is kept. A question far
// behind what is recorded begins with its own block: the blocks before it do not run then. One
// command ends after some seconds, and then says so; the same again goes on.
nlohmann::json step(const nlohmann::json& params, JobContext& context);

}  // namespace lanewise
