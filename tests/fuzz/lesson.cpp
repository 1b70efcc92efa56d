// Any text as a lesson: its TOML head and its Markdown. Neither may fail other than by saying so.
#include "course/lesson.h"

#include "course/markdown.h"
#include "fuzz.h"

namespace lanewise {

void fuzz(std::string_view text) {
    std::string lesson(text);
    parse_lesson(lesson, "transpose/30_padded");
    markdown_blocks(lesson);
}

}  // namespace lanewise
