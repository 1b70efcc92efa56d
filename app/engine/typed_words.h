// What was typed on this process's command line, to propose another command for the same launch.
#pragma once
#include <string>

namespace lanewise {

// main() says once what was typed.
void keep_typed_words(int argc, const char* const* argv);
// The command that steps through what this process was asked for, to be typed into a shell. at: as
// --at of `step` takes it.
std::string command_to_step(const std::string& at);

}  // namespace lanewise
