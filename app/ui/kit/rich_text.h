// Lays out a lesson's styled runs as flowing text, with links that can be clicked.
#pragma once
#include <map>
#include <string>

#include "course/lesson.h"

namespace lanewise::ui {

// Draws the block at the cursor. `answers` gives the text of each {{query}}. Returns the target of
// the link that was clicked, else "".
std::string draw_block(const LessonBlock& block, const std::map<std::string, std::string>& answers,
                       int index);

}  // namespace lanewise::ui
