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

// Whether the command's first word is a server's address, ws://… or wss://…, which takes no further words: what a
// class's engines are started with is the server's to say.
bool is_engine_address(const std::vector<std::string>& words);

}  // namespace lanewise
