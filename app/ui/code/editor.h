// The code view's editor: Dear ImGui's text box, which keeps the text, the selection, undo and the
// clipboard, with our colours, line numbers, costs and the compiler's errors drawn around it.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

// Fills the rest of the current window.
void draw_editor(App& app);

// The first occurrence of `what` in `text` after byte `from`, beginning anew at the top; npos where
// there is none.
size_t find_from(const std::string& text, const std::string& what, size_t from);
// 1 for the first line.
int line_at(const std::string& text, size_t byte);
// The begin of that line in bytes; the text's end where it has fewer.
size_t begin_of_line(const std::string& text, int line);
// The blanks that a line after this one begins with: as many as it has, and four more behind "{".
size_t indent_after(const std::string& text, size_t newline);

}  // namespace lanewise::ui
