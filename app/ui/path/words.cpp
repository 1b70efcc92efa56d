#include "ui/desk/words.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/term_mark.h"
#include "ui/launch/follow.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

constexpr size_t kMostKept = 2000;  // texts of which the words are known; more are looked at anew

WordBook& book(App& app) { return app.tools->words; }

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
}

// How well what is typed fits: 0 where it begins a form, 1 within one, 2 within the text; -1: not.
int fit_of(const Term& term, const std::string& typed) {
    int best = -1;
    auto weigh = [&](const std::string& form) {
        const size_t at = in_small_letters(form).find(typed);
        if (at != std::string::npos && (best < 0 || best > (at > 0))) best = at > 0;
    };
    weigh(term.name);
    for (const std::string& form : term.also) weigh(form);
    if (best < 0 && in_small_letters(term.text).find(typed) != std::string::npos) best = 2;
    return best;
}

std::string name_of_link(const App& app, const Term& term) {
    const size_t colon = term.link.find(':');
    const std::string kind = term.link.substr(0, colon), what = term.link.substr(colon + 1);
    try {
        if (kind == "view") return find_view(what).title;
        if (kind == "stage") return app.content.catalogue.find(what).title;
    } catch (const Error&) {
        return what;  // tests/course holds every link; this is a content folder of the user's own
    }
    return what;
}

}  // namespace

void read_words(App& app) {
    WordBook& words = book(app);
    words.glossary = read_glossary(app.content.catalogue.content());
    if (!words.glossary.error.empty()) app.said.notices.push_back(words.glossary.error);
    for (Lesson& lesson : app.content.lessons) mark_terms(lesson.blocks, words.glossary);
    words.link_names.clear();
    for (const Term& term : words.glossary.terms)
        words.link_names.push_back(name_of_link(app, term));
    measure_words(app);
}

void measure_words(App& app) {
    WordBook& words = book(app);
    words.measured.clear();
    for (const Term& term : words.glossary.terms)
        words.measured.push_back(measured_sentence(term, app.content.profiles, app.engine.gpu));
}

void draw_words(App& app, const std::string& text, TextStyle style) {
    WordBook& words = book(app);
    auto found = words.paragraphs.find(text);
    if (found == words.paragraphs.end()) {
        if (words.paragraphs.size() >= kMostKept) words.paragraphs.clear();
        found = words.paragraphs.emplace(text, marked_paragraph(text, words.glossary)).first;
    }
    draw_paragraph(found->second, style);
}

void draw_label(App& app, ImVec2 at, std::string_view text, TextStyle style, Rect room) {
    WordBook& words = book(app);
    draw_text(at, text, style, room);
    auto found = words.labels.find(text);
    if (found == words.labels.end()) {
        if (words.labels.size() >= kMostKept) words.labels.clear();
        found = words.labels.emplace(std::string(text), terms_in(words.glossary, text)).first;
    }
    const float height = extent_of("X", style).y;
    for (const TermPlace& place : found->second) {
        const float from = at.x + extent_of(text.substr(0, place.begin), style).x;
        const float width = extent_of(text.substr(place.begin, place.end - place.begin), style).x;
        mark_term(words.glossary.terms[place.term].name, {from, room.y0, from + width, room.y1},
                  at.y + height - px(1));
    }
}

void pin_word(App& app, const Term& term, Rect at) {
    WordBook& words = book(app);
    measure_words(app);
    words.pinned = &term;
    words.at = at;
    words.card_focus_wanted = true;
}

void unpin_word(App& app) {
    book(app).pinned = nullptr;
    app.keyboard.focus_wanted = true;
}

void follow_term_link(App& app, const Term& term) {
    WordBook& words = book(app);
    if (term.link.starts_with(kTermLink)) {
        const Term* other = words.glossary.find(term.link.substr(kTermLink.size()));
        if (!other) return;
        if (words.page_open) {
            words.typed = other->name;
            ++words.generation;
            return glossary_typed(app);
        }
        return pin_word(app, *other, words.at);
    }
    const std::string link = term.link;
    unpin_word(app);
    words.page_open = false;
    follow_link(app, link);
}

static const std::string& of_term(const WordBook& words, const std::vector<std::string>& texts,
                                  const Term& term) {
    static const std::string kNone;
    const auto place = static_cast<size_t>(&term - words.glossary.terms.data());
    return place < texts.size() ? texts[place] : kNone;
}

const std::string& measured_of(const WordBook& words, const Term& term) {
    return of_term(words, words.measured, term);
}

const std::string& link_name(const WordBook& words, const Term& term) {
    return of_term(words, words.link_names, term);
}

void open_glossary(App& app) {
    WordBook& words = book(app);
    measure_words(app);
    words.page_open = words.page_focus_wanted = true;
    words.typed.clear();
    ++words.generation;
    glossary_typed(app);
}

void close_glossary(App& app) {
    book(app).page_open = false;
    app.keyboard.focus_wanted = true;
}

void glossary_typed(App& app) {
    WordBook& words = book(app);
    const std::string typed = in_small_letters(words.typed);
    std::vector<std::pair<int, size_t>> fits;
    for (size_t i = 0; i < words.glossary.terms.size(); ++i)
        if (int fit = fit_of(words.glossary.terms[i], typed); fit >= 0)
            fits.emplace_back(typed.empty() ? 0 : fit, i);
    std::sort(fits.begin(), fits.end());
    words.found.clear();
    for (const auto& [fit, place] : fits) words.found.push_back(place);
    words.to_top = true;
}

bool handle_word_keys(App& app) {
    WordBook& words = book(app);
    if (words.page_open) {
        if (pressed(Key::escape)) close_glossary(app);
        return true;
    }
    if (!words.pinned || !pressed(Key::escape)) return false;
    unpin_word(app);
    return true;
}

}  // namespace lanewise::ui
