// What a command of the debugger answers, as JSON: one object for each.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "lab/step/step_reply.h"

namespace lanewise {

// {command, error, notes, place, assigned, values, watches, memory, written, breakpoints, source};
// what a command does not answer is left out. Values are an array of 32, null where a lane has none.
void to_json(nlohmann::json&, const StepReply&);
void to_json(nlohmann::json&, const NamedValues&);

}  // namespace lanewise
