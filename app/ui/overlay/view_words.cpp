// The card of one word of the glossary, and the page of all words.
#include <algorithm>

#include "ui/desk/overlays.h"
#include "ui/desk/tools.h"
#include "ui/kit/term_mark.h"
#include "ui/kit/widgets.h"
#include "ui/plain/frame_text.h"

namespace lanewise::ui {
namespace {

constexpr float kCard = 340, kPadding = 12, kAway = 6;  // points
constexpr TextStyle kTermText{12, Ink::text, Font::text};
constexpr TextStyle kMeasured{12, Ink::text_dim, Font::text};

// Below the word where there is room, else above it; inside the screen in any case.
ImVec2 beside_word(Rect word, ImVec2 size) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float away = px(kAway);
    float y = word.y1 + away;
    if (y + size.y > screen.y) y = word.y0 - away - size.y;
    return ImVec2(std::clamp(word.x0, away, std::max(away, screen.x - size.x - away)),
                  std::clamp(y, away, std::max(away, screen.y - size.y - away)));
}

float card_width() { return std::min(px(kCard), ImGui::GetIO().DisplaySize.x - 2 * px(kAway)); }

// Name and sentences, in the current window or only measured; returns their height.
float draw_explained(const WordBook& words, const Term& term, float width, bool shown) {
    const ImVec2 at = shown ? ImGui::GetCursorScreenPos() : ImVec2(0, 0);
    float y = rows_of_text(at, term.name, kStrong, width, shown) + px(4);
    y += rows_of_text(ImVec2(at.x, at.y + y), term.text, kTermText, width, shown);
    if (const std::string& measured = measured_of(words, term); !measured.empty()) {
        y += px(6);
        y += rows_of_text(ImVec2(at.x, at.y + y), measured, kMeasured, width, shown);
    }
    if (shown) ImGui::Dummy(ImVec2(width, y));
    return y;
}

bool begin_word_window(const char* name, ImVec2 at, ImVec2 size, ImGuiWindowFlags flags) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(kPadding), px(kPadding)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::ColorConvertU32ToFloat4(color(Ink::panel)));
    const bool open =
        ImGui::Begin(name, nullptr,
                     ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | flags);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    return open;
}

// What the pointer is over: gone with it.
void draw_passing(const WordBook& words, const Term& term, Rect word) {
    const float width = card_width(), inner = width - 2 * px(kPadding);
    const float foot = line_height(kMeasured) + px(4);
    const float height = draw_explained(words, term, inner, false) + foot + 2 * px(kPadding);
    begin_word_window("##word in passing", beside_word(word, ImVec2(width, height)),
                      ImVec2(width, height),
                      ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoInputs |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollbar);
    draw_explained(words, term, inner, true);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(ImVec2(at.x, at.y), fitted("Click it to keep this open.", kMeasured, inner),
              kMeasured, {at.x, at.y, at.x + inner, at.y + line_height(kMeasured)});
    ImGui::End();
}

// Of the card's three buttons, in as many rows as flow() gives them.
float buttons_height(std::string_view where, float width) {
    constexpr float kRow = 34, kInset = 20, kBetween = 6;
    constexpr TextStyle kWidest{12, Ink::text, Font::mono};  // as flow() measures
    float x = std::min(width, extent_of(where, kTermText).x + px(kInset) + 1), rows = 1;
    for (std::string_view text : {"Glossary", "Close"}) {
        x += px(kBetween);
        if (width - x < extent_of(text, kWidest).x + px(kInset)) {
            x = 0;
            ++rows;
        }
        x += extent_of(text, kTermText).x + px(kInset) + 1;
    }
    return rows * px(kRow);
}

void draw_pinned(App& app) {
    WordBook& words = app.tools->words;
    const Term& term = *words.pinned;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = card_width(), inner = width - 2 * px(kPadding);
    const std::string_view where = joined("See: ", link_name(words, term));
    const float wanted = draw_explained(words, term, inner, false) + buttons_height(where, inner) +
                         2 * px(kPadding) + px(10);
    const float height = std::min(wanted, screen.y - 2 * px(kAway));
    const ImVec2 size(width, height), at = beside_word(words.at, size);
    const bool is_new = words.card_focus_wanted;
    if (is_new) ImGui::SetNextWindowFocus();
    words.card_focus_wanted = false;
    begin_word_window("##word", at, size, 0);
    audit().widget("word", {at.x, at.y, at.x + size.x, at.y + size.y});
    draw_explained(words, term, inner, true);
    gap(8);
    const bool link = button("word:link", where);
    flow("Glossary");
    const bool all = button("word:glossary", "Glossary", {.tooltip = "All words"});
    flow("Close");
    const bool close = button("word:close", "Close", {.tooltip = "Escape"});
    ImGui::End();
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const bool outside = pointer.x < at.x || pointer.y < at.y || pointer.x > at.x + size.x ||
                         pointer.y > at.y + size.y;
    if (link) return follow_term_link(app, term);
    if (all) return open_glossary(app);
    if (close || (!is_new && ImGui::IsMouseClicked(0) && outside)) unpin_word(app);
}

void draw_entry(App& app, const Term& term) {
    WordBook& words = app.tools->words;
    line(term.name, kStrong);
    gap(2);
    draw_words(app, term.text, kTermText);
    if (const std::string& measured = measured_of(words, term); !measured.empty()) {
        gap(2);
        paragraph(measured, kMeasured);
    }
    gap(4);
    if (button(joined("glossary:", term.name), joined("See: ", link_name(words, term))))
        follow_term_link(app, term);
    gap(12);
}

}  // namespace

void draw_word_card(App& app) {
    WordBook& words = app.tools->words;
    const TermMark& mark = term_mark();
    const Term* over = mark.over.empty() ? nullptr : words.glossary.find(mark.over);
    if (over && mark.pressed && words.page_open) {
        words.typed = over->name;
        ++words.generation;
        return glossary_typed(app);
    }
    if (over && mark.pressed) pin_word(app, *over, mark.at);
    if (words.pinned) return draw_pinned(app);
    if (over) draw_passing(words, *over, mark.at);
}

void draw_glossary(App& app) {
    WordBook& words = app.tools->words;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(px(640), screen.x - px(24));
    const float height = std::min(px(640), screen.y - px(24));
    begin_overlay("Glossary", width, height, words.page_focus_wanted);
    line("Glossary", kTitle);
    gap(6);
    ImGui::PushID(words.generation);
    if (words.page_focus_wanted) ImGui::SetKeyboardFocusHere();
    words.page_focus_wanted = false;
    const bool changed = text_field("glossary", words.typed, 0);
    ImGui::PopID();
    if (changed) glossary_typed(app);
    gap(8);
    ImGui::BeginChild("words", ImVec2(0, ImGui::GetContentRegionAvail().y - px(40)), false,
                      ImGuiWindowFlags_NavFlattened);
    if (words.to_top) ImGui::SetScrollY(0);
    words.to_top = false;
    if (words.found.empty()) paragraph("No word is called that, and no text holds it.", kDim);
    const size_t shown = words.found.size();
    for (size_t i = 0; i < shown && i < words.found.size(); ++i)
        draw_entry(app, words.glossary.terms[words.found[i]]);
    ImGui::EndChild();
    gap(8);
    if (button("glossary:close", "Close", {.tooltip = "Escape"})) close_glossary(app);
    same_line(12);
    line("Type a word, or a part of one", kDim);
    ImGui::End();
}

}  // namespace lanewise::ui
