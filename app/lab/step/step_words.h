// What the debugger says of a moment in whole sentences, the same in the terminal and in the window.
#pragma once
#include <string>
#include <string_view>

#include "lab/step/step_reply.h"

namespace lanewise {

// Why a move ended where it did: "Breakpoint 1, for lanes 17 to 31." "" where it went as asked.
std::string why_in_words(const StepPlace& place);
// "local[5] is 32: written by block (0,0), warp 1, all lanes, in step 81."
std::string written_in_words(const WrittenBy& by);
// An error's first line as a sentence: "\"==\" does not belong here." What stands below it there is
// a caret under the text, which a window shows itself.
std::string error_in_words(std::string_view error);

}  // namespace lanewise
