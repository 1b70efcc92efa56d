// The lists of the code view, linked by source line: what is chosen or under the pointer in one is
// marked in all, chosen in one colour and hovered in a lighter one of the same.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

inline constexpr float kChosenAlpha = 0.16f, kHoveredAlpha = 0.07f;

struct CodeFocus {
    int chosen = 0;        // the source line
    int instruction = -1;  // of the chosen access, an index into Report::instructions
    int hovered = 0;       // set by the lists: the source line under the pointer in this frame
};

void draw_source_pane(App& app, CodeFocus& focus);  // source_pane.cpp
void draw_ptx_pane(App& app, CodeFocus& focus);
void draw_sass_pane(App& app, CodeFocus& focus);

Ink ink_of(TokenKind token);  // source_pane.cpp: of source text

// Lines of the source without the margin of costs; `marked` stands out where it is among them.
void draw_source_lines(const App& app, int first, int last, int marked);  // source_pane.cpp
// `line`, marked, and as many lines around it.
void draw_source_excerpt(const App& app, int line, int around);
float excerpt_width(const App& app, int line);  // pixels in which that line is whole

// ---- the code of one access, below its figure; nothing where there is little room
// (access_code.cpp)
void draw_access_code(App& app);

}  // namespace lanewise::ui
