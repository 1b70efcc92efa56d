// The glossary in the window: its words marked in lessons and labels, the card of one word, and the
// page of all. A card is what the pointer is over, or what was clicked: that one stays until Escape.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "course/glossary.h"
#include "ui/kit/audit.h"
#include "ui/kit/widgets.h"

namespace lanewise::ui {

struct App;

struct WordBook {
    Glossary glossary;
    // By term: the sentence of the card's own figure, or "", and what its link leads to, in words.
    std::vector<std::string> measured, link_names;
    // What was drawn so far, its words looked for once and not in each frame.
    std::map<std::string, LessonBlock, std::less<>> paragraphs;
    std::map<std::string, std::vector<TermPlace>, std::less<>> labels;
    // ---- the card that was clicked
    const Term* pinned = nullptr;  // into glossary.terms
    Rect at;                       // the word that it explains
    bool card_focus_wanted = false;
    // ---- the page
    bool page_open = false, page_focus_wanted = false, to_top = false;
    std::string typed;
    std::vector<size_t> found;  // of glossary.terms
    int generation = 0;         // of the text field: it starts anew with each
};

// Reads lessons/glossary.toml and marks its words in all lessons; what is wrong with it becomes a
// notice.
void read_words(App& app);
// The figures of the card that the engine has now; asked for whenever a card is opened.
void measure_words(App& app);

// A wrapped paragraph and a label of one line, their terms marked.
void draw_words(App& app, const std::string& text, TextStyle style = kBody);
void draw_label(App& app, ImVec2 at, std::string_view text, TextStyle style, Rect room);

void pin_word(App& app, const Term& term, Rect at);
void unpin_word(App& app);
// Follows a term's link: to another term, a view or a stage. The card and the page close for those.
void follow_term_link(App& app, const Term& term);
const std::string& measured_of(const WordBook& words, const Term& term);
const std::string& link_name(const WordBook& words, const Term& term);  // "Shared memory"

void open_glossary(App& app);
void close_glossary(App& app);
void glossary_typed(App& app);  // after each change of typed
// True where the key was the glossary's: Escape on a card, all keys on the page.
bool handle_word_keys(App& app);

void draw_glossary(App& app);   // overlay/view_words.cpp: the page
void draw_word_card(App& app);  // the card of the word under the pointer, or of the pinned one

}  // namespace lanewise::ui
