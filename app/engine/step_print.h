// What a command of the debugger answers, as text for a terminal.
#pragma once
#include <string>

#include "lab/step/step_reply.h"

namespace lanewise {

struct StepScreen {
    int columns = 100;
    bool has_colours = false;  // else lanes that do not take part are dots
};
std::string in_text(const StepReply& reply, const StepScreen& screen);

}  // namespace lanewise
