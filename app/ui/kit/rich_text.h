// Lays out a lesson's styled runs as flowing text, with links that can be clicked.
#pragma once
#include <map>
#include <string>

#include "course/lesson.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {

// Draws the block at the cursor. `answers` gives the text of each {{query}}. Returns the target of
// the link that was clicked, else "".
// A run with the link "term:NAME" is a word of the glossary: marked (term_mark.h), and no link.
std::string draw_block(const LessonBlock& block, const std::map<std::string, std::string>& answers,
                       int index);

// A paragraph of plain text, in which nothing but such words is linked; no room below it.
void draw_paragraph(const LessonBlock& block, TextStyle style);

}  // namespace lanewise::ui
