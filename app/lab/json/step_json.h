// What a command of the debugger answers, as JSON: one object for each; and what a window asks, and
// is answered.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "lab/step/step_reply.h"
#include "lab/step/step_session.h"

namespace lanewise {

// {command, error, notes, place, assigned, values, watches, memory, written, breakpoints, source};
// what a command does not answer is left out. Values are an array of 32, null where a lane has none.
void to_json(nlohmann::json&, const StepReply&);
void to_json(nlohmann::json&, const NamedValues&);
void from_json(const nlohmann::json&, NamedValues&);

// {from: {block, step, warp}, breaks, watches, command}
void to_json(nlohmann::json&, const StepQuestion&);
void from_json(const nlohmann::json&, StepQuestion&);
// As the reply, with breaks, warps, code_lines, steps, wrong, first_block and earliest. Read back,
// its reply has no memory, no source and no breakpoints, which are in `breaks`.
void to_json(nlohmann::json&, const StepShown&);
void from_json(const nlohmann::json&, StepShown&);

}  // namespace lanewise
