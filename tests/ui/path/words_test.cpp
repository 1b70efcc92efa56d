// The glossary in the window: a word of a lesson explains itself under the pointer, stays when it is
// clicked and closes with Escape; labels do the same; the page lists and finds all words.
#include <gtest/gtest.h>

#include "../frames.h"
#include "ui/desk/commands.h"
#include "ui/desk/tools.h"
#include "ui/kit/term_mark.h"
#include "ui/state/views.h"

namespace lanewise::ui {
namespace {

// Without its blanks: rows and marked words are drawn apart.
std::string all_texts() {
    std::string all;
    for (const TextRecord& text : audit().texts) all += text.text;
    std::erase(all, ' ');
    return all;
}

// Whether the window says this sentence, in however many rows.
bool says(std::string sentence) {
    std::erase(sentence, ' ');
    return all_texts().find(sentence) != std::string::npos;
}

const WidgetRecord* widget_called(const std::string& begin, float right_of = 0) {
    for (const WidgetRecord& widget : audit().widgets) {
        const bool seen = widget.box.y1 <= widget.clip.y1 && widget.box.y0 >= widget.clip.y0;
        if (widget.id.starts_with(begin) && seen && widget.box.x0 >= right_of) return &widget;
    }
    return nullptr;
}

// The pinned card itself, whose edge its own clipping cuts.
const WidgetRecord* card_box() {
    for (const WidgetRecord& widget : audit().widgets)
        if (widget.id == "word") return &widget;
    return nullptr;
}

// Over the middle of a marked word, without pressing.
const Term* hover_a_word(Frames& frames) {
    const WidgetRecord* word = widget_called("term:");
    if (!word) return nullptr;
    const std::string name = word->id.substr(5);
    send_pointer({(word->box.x0 + word->box.x1) / 2, (word->box.y0 + word->box.y1) / 2});
    frames.frame(3);
    return frames.app.tools->words.glossary.find(name);
}

// The stage's lesson at its text, as it is read.
struct Reading {
    explicit Reading(const char* stage = "30_padded") {
        choose_shape(app, 64, 64);
        choose_stage(app, stage);
        choose_mode(app, kWorkbench);
        frames.answer();
        frames.frame(3);
    }
    Frames frames{1280, 2400};
    App& app = frames.app;
    WordBook& words = app.tools->words;
};

TEST(Words, AWordOfALessonExplainsItselfUnderThePointer) {
    Reading r;
    const Term* term = hover_a_word(r.frames);
    ASSERT_TRUE(term) << "no word of this lesson is marked";
    EXPECT_TRUE(says(term->text)) << term->text << "\n in " << all_texts();
    EXPECT_EQ(nullptr, r.words.pinned);
    send_pointer({1, 2399});
    r.frames.frame(3);
    EXPECT_FALSE(says(term->text)) << "it goes with the pointer";
}

TEST(Words, AClickKeepsItAndEscapeClosesIt) {
    Reading r;
    const WidgetRecord* word = widget_called("term:");
    ASSERT_TRUE(word);
    const std::string id = word->id;
    const Term& term = *r.words.glossary.find(id.substr(5));
    ASSERT_TRUE(r.frames.click(id));
    send_pointer({1, 2399});
    r.frames.frame(3);
    ASSERT_EQ(&term, r.words.pinned);
    EXPECT_TRUE(says(term.text));
    r.frames.press(Key::escape);
    r.frames.frame(2);
    EXPECT_EQ(nullptr, r.words.pinned);
    EXPECT_FALSE(says(term.text));
}

TEST(Words, AClickElsewhereClosesIt) {
    Reading r;
    ASSERT_TRUE(r.frames.click(widget_called("term:")->id));
    ASSERT_TRUE(r.words.pinned);
    send_pointer({700, 2390});
    r.frames.frame(2);
    send_button(true);
    r.frames.frame();
    send_button(false);
    r.frames.frame(2);
    EXPECT_EQ(nullptr, r.words.pinned);
}

TEST(Words, TheCardsLinkLeadsThere) {
    Reading r;
    pin_word(r.app, *r.words.glossary.find("swizzle"), {100, 100, 150, 120});
    r.frames.frame(3);
    ASSERT_TRUE(r.frames.click("word:link"));
    EXPECT_EQ("transpose/32_swizzled", r.app.course_id());
    EXPECT_EQ(nullptr, r.words.pinned);
    pin_word(r.app, *r.words.glossary.find("HBM"), {100, 100, 150, 120});
    r.frames.frame(3);
    ASSERT_TRUE(r.frames.click("word:link"));
    ASSERT_TRUE(r.words.pinned);
    EXPECT_EQ("DRAM", r.words.pinned->name);
}

// Every one of them, by the window's own views.
TEST(Words, EveryLinkCanBeFollowed) {
    Frames frames;
    for (const Term& term : frames.app.tools->words.glossary.terms) {
        frames.app.said.error.clear();
        EXPECT_FALSE(link_name(frames.app.tools->words, term).empty()) << term.where;
        follow_term_link(frames.app, term);
        EXPECT_EQ("", frames.app.said.error) << term.where;
        unpin_word(frames.app);
    }
}

TEST(Words, LabelsExplainThemselvesToo) {
    Reading r;
    const float right = 900;
    const WidgetRecord* label = widget_called("term:", right);  // the counts' names
    ASSERT_TRUE(label) << "no label in the right column is marked";
    const Term& term = *r.words.glossary.find(label->id.substr(5));
    send_pointer({(label->box.x0 + label->box.x1) / 2, (label->box.y0 + label->box.y1) / 2});
    r.frames.frame(3);
    EXPECT_TRUE(says(term.text)) << term.name;
}

TEST(Words, TheQuestionMarksItsWordsAndNoneTellsTheAnswer) {
    Frames frames;
    App& app = frames.app;
    app.learner.predicts_first = true;
    choose_mode(app, kLearn);
    size_t marked = 0;
    for (const Stage& stage : app.content.catalogue.stages()) {
        const Lesson& lesson =
            app.content
                .lessons[static_cast<size_t>(&stage - app.content.catalogue.stages().data())];
        if (lesson.predict.question.empty()) continue;
        for (const TermPlace& place :
             terms_in(app.tools->words.glossary, lesson.predict.question)) {
            ++marked;
            EXPECT_EQ(std::string::npos,
                      app.tools->words.glossary.terms[place.term].text.find(lesson.predict.answer))
                << stage.id;
        }
    }
    EXPECT_GT(marked, 30u);
}

TEST(Words, ThePageListsAllAndFindsByAPart) {
    Frames frames(1280, 720);
    WordBook& words = frames.app.tools->words;
    act(frames.app, find_command(frames.app, "glossary"));
    frames.frame(3);
    ASSERT_TRUE(words.page_open);
    EXPECT_EQ(words.glossary.terms.size(), words.found.size());
    frames.type("conflict");
    ASSERT_FALSE(words.found.empty());
    EXPECT_LT(words.found.size(), 12u);
    EXPECT_EQ("bank conflict", words.glossary.terms[words.found[0]].name);
    EXPECT_TRUE(says(words.glossary.find("bank conflict")->text));
    words.typed = "nothing is called so";
    ++words.generation;  // else the box keeps what was typed into it
    glossary_typed(frames.app);
    frames.frame(2);
    EXPECT_TRUE(says("No word is called that"));
    frames.press(Key::escape);
    EXPECT_FALSE(words.page_open);
}

TEST(Words, ItsLetterOpensThePage) {
    Frames frames;
    frames.frame(2);
    frames.type('i');
    EXPECT_TRUE(frames.app.tools->words.page_open);
}

TEST(Words, OneThingAtATimeLiesOverTheWindow) {
    Frames frames;
    App& app = frames.app;
    WordBook& words = app.tools->words;
    pin_word(app, *words.glossary.find("warp"), {100, 100, 150, 120});
    frames.frame(2);
    act(app, find_command(app, "help"));
    frames.frame(2);
    EXPECT_EQ(nullptr, words.pinned);
    EXPECT_TRUE(app.open.help);
    ASSERT_TRUE(frames.click("help:glossary"));
    frames.frame(2);
    EXPECT_FALSE(app.open.help);
    EXPECT_TRUE(words.page_open);
    pin_word(app, *words.glossary.find("warp"), {100, 100, 150, 120});
    frames.frame(2);
    EXPECT_FALSE(words.page_open);
    EXPECT_TRUE(words.pinned);
}

// The six sizes of the pictures: the card of every term is whole, and so is the page.
TEST(Words, NoTermIsCutAtAnySize) {
    for (auto [width, height, scale] : {std::tuple{1280, 720, 1.f},
                                        {1280, 720, 2.f},
                                        {1600, 1000, 3.f},
                                        {1920, 1080, 1.f},
                                        {960, 600, 1.f},
                                        {3840, 2160, 2.f}}) {
        Frames frames(width, height);
        App& app = frames.app;
        set_scale(scale);
        const auto w = static_cast<float>(width), h = static_cast<float>(height);
        auto expect_whole = [&](const std::string& what) {
            for (const std::string& fault : text_faults(audit()))
                if (fault.find("lies over") == std::string::npos)  // it does so on purpose
                    ADD_FAILURE() << what << " at " << width << " x " << height << ", " << scale
                                  << ": " << fault;
        };
        for (const Term& term : app.tools->words.glossary.terms) {
            pin_word(app, term, {w / 2, h / 2, w / 2 + 40, h / 2 + 20});
            frames.frame(2);
            const WidgetRecord* card = card_box();
            ASSERT_TRUE(card) << term.name;
            EXPECT_TRUE(card->box.x0 >= 0 && card->box.y0 >= 0 && card->box.x1 <= w &&
                        card->box.y1 <= h)
                << term.name;
            EXPECT_TRUE(says(term.text)) << term.name << " at " << scale;
            for (const char* id : {"word:link", "word:glossary", "word:close"}) {
                const WidgetRecord* at = widget_called(id);
                ASSERT_TRUE(at) << term.name << ": " << id << " at " << width << ", " << scale;
                EXPECT_LE(at->box.y1, card->box.y1) << term.name << ": " << id;
            }
            if (&term == app.tools->words.glossary.terms.data()) expect_whole(term.name);
        }
        unpin_word(app);
        open_glossary(app);
        frames.frame(3);
        expect_whole("the page");
        set_scale(1);
    }
}

TEST(Words, AMissingGlossaryIsSaidOnce) {
    Frames frames;
    frames.app.tools->words = {};
    frames.app.said.notices.clear();
    frames.app.tools->words.glossary.error = "x";
    frames.frame(2);  // nothing is marked, and nothing falls over
    open_glossary(frames.app);
    frames.frame(2);
    EXPECT_TRUE(frames.app.tools->words.found.empty());
}

}  // namespace
}  // namespace lanewise::ui
