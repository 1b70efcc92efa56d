// What stands around the editor's text box. Private to the editor.
#pragma once
#include "ui/kit/widgets.h"
#include "ui/state/app.h"

namespace lanewise::ui {

inline constexpr TextStyle kEditorCode{13, Ink::text, Font::mono};
inline constexpr TextStyle kEditorNumber{11, Ink::text_dim, Font::mono};

// Puts the cursor there with the next frame, and marks so many bytes.
void place_cursor(App& app, size_t byte, size_t marked);  // editor.cpp

void draw_editor_bar(App& app);                // editor_bar.cpp: above, with the search
float editor_messages_height(const App& app);  // in pixels
void draw_editor_messages(App& app);           // below: what the compiler says
void draw_editor_changes(const App& app);      // editor_changes.cpp: instead of the text

}  // namespace lanewise::ui
