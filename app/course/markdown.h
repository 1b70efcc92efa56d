// CommonMark (cmark) to a lesson's blocks and runs. HTML is shown as text; images are not
// supported.
#pragma once
#include <string>
#include <vector>

#include "course/lesson.h"

namespace lanewise {

// The document's blocks in order. Never fails: every text is some Markdown.
std::vector<LessonBlock> markdown_blocks(const std::string& markdown);

}  // namespace lanewise
