// A word of the glossary, marked where it stands: a dotted line under it, and an item over it that the
// pointer and the keyboard find. What is shown of the word is not this room's matter: whoever draws
// the card (overlay/view_words.cpp) asks here which word it is.
#pragma once
#include <string_view>

#include "ui/kit/audit.h"

namespace lanewise::ui {

struct TermMark {
    std::string_view
        over;  // the term under the pointer or the keyboard; "": none; stands this frame
    Rect at;   // where its word stands
    bool pressed = false;  // it was clicked, tapped, or Enter was struck on it
    int drawn = 0;         // so many this frame: keeps the items apart
};
TermMark& term_mark();
void begin_term_marks();  // before the first widget of a frame

// Marks what stands in `word`, with its baseline's line at `underline`. The cursor stays where it is.
void mark_term(std::string_view term, Rect word, float underline);

}  // namespace lanewise::ui
