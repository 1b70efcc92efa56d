// Splits the command that starts an engine, e.g. `ssh gpu-box lanewise-engine serve`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// The words of `command` as a shell would split them, without expanding anything: blanks separate,
// '…' keeps everything, "…" keeps everything but \" and \\, a backslash keeps the next character.
// Throws Error(bad_input) for an open quote, a lone final backslash, or no word at all.
std::vector<std::string> split_command(std::string_view command);

}  // namespace lanewise
