// Presenting on two screens: what the class sees and what it does not, one pointer for both, the clock,
// and what comes next.
#include "ui/class/audience.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../frames.h"
#include "base/text.h"
#include "course/scenes.h"
#include "ui/desk/tools.h"
#include "ui/session/audience_screen.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

// All that was drawn, as one reads it: rows are parted where they are broken.
std::string words_of(const Audit& drawn) {
    std::string all;
    for (const TextRecord& text : drawn.texts) all += text.text + " ";
    return all;
}

std::string one_space(const std::string& text) {
    std::string all;
    for (char c : text)
        if (c != ' ' || !all.ends_with(' ')) all += c == '\n' ? ' ' : c;
    return all;
}

bool holds(const std::string& drawn, const std::string& words) {
    return one_space(drawn).find(one_space(words)) != std::string::npos;
}

const WidgetRecord* find_widget(const Audit& drawn, const std::string& id) {
    for (const WidgetRecord& widget : drawn.widgets)
        if (widget.id == id) return &widget;
    return nullptr;
}

class TwoScreens : public testing::Test {
  protected:
    TwoScreens() {
        app.tools->more_windows = true;
        p.screens = 2;
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        start_presenting(app);
    }
    // A turn of the window's loop: the teacher's frame, then the class's.
    void turn(int count = 2) {
        for (int i = 0; i < count; ++i) {
            frames.frame();
            shown.frame_unseen(app, width, height);
        }
    }
    void show() {
        frames.answer();
        turn(3);
    }
    void go_to(size_t slide) {
        p.at = slide - 1;
        p.revealed = true;
        p.blank = p.more_below = false;
        next_scene(app);
        ASSERT_EQ(slide, p.at);
    }
    // The first slide of this kind, of a stage.
    void go_to_question(const char* stage) {
        choose_stage(app, stage);
        start_presenting(app);
        size_t at = 1;
        while (at < p.slides.size() && p.slides[at].kind != Slide::Kind::question) ++at;
        ASSERT_LT(at, p.slides.size());
        go_to(at);
        show();
    }
    std::string class_words() const { return words_of(audience_audit()); }
    std::string teachers_words() const { return words_of(audit()); }
    void point_at(float x, float y) {
        const WidgetRecord* mirror = find_widget(audit(), "mirror");
        ASSERT_TRUE(mirror);
        const Rect box = mirror->box;
        send_pointer({box.x0 + x * (box.x1 - box.x0), box.y0 + y * (box.y1 - box.y0)});
        turn();
    }

    Frames frames;
    App& app = frames.app;
    Presenter& p = app.tools->presenter;
    AudienceScreen shown;
    int width = 1920, height = 1080;
};

TEST_F(TwoScreens, ASecondScreenIsTheClasss) {
    ASSERT_TRUE(p.audience);
    turn();
    EXPECT_TRUE(find_widget(audit(), "mirror"));
    EXPECT_FLOAT_EQ(1, look().scale);  // 1280 points wide
    EXPECT_TRUE(holds(class_words(), "THE QUESTION"));
    EXPECT_FALSE(holds(class_words(), "1 of "));
    EXPECT_TRUE(frames.says("1 of "));
    EXPECT_TRUE(frames.says("0:00"));
    frames.press(Key::f11);
    EXPECT_FALSE(p.on || p.audience);
    EXPECT_FALSE(find_widget(audit(), "mirror"));
    // With one screen everything is in one window, until a second one is asked for.
    p.screens = 1;
    frames.press(Key::f11);
    EXPECT_TRUE(p.on && !p.audience);
    EXPECT_FALSE(find_widget(audit(), "mirror"));
    EXPECT_FLOAT_EQ(1.3f, look().scale);
    frames.type('w');
    EXPECT_TRUE(p.audience);
    EXPECT_TRUE(find_widget(audit(), "mirror"));
    frames.type('w');
    EXPECT_FALSE(p.audience);
    EXPECT_TRUE(p.on);
    // A page in a browser has no second one.
    app.tools->more_windows = false;
    frames.type('w');
    EXPECT_FALSE(p.audience);
    EXPECT_EQ("There is one window only here.", app.said.toast.text);
    frames.press(Key::escape);
    EXPECT_FALSE(p.on);
}

// Of every lesson that ships, its pictures not yet there: neither a word of the notes, nor of what is
// said with the answer, nor a mark at the right choice. The teacher sees the notes all the same.
TEST_F(TwoScreens, TheClassSeesNeitherNotesNorAnswers) {
    const std::vector<Stage>& stages = app.content.catalogue.stages();
    size_t questions = 0, notes = 0;
    for (size_t stage = 0; stage < stages.size(); ++stage) {
        choose_stage(app, stage);
        start_presenting(app);
        for (size_t i = 1; i < p.slides.size(); ++i) {
            go_to(i);
            turn();
            const Slide& slide = p.slides[i];
            const std::string seen = class_words();
            const std::string where = stages[stage].id + ", " + slide.title + ": " + seen;
            EXPECT_FALSE(holds(seen, "✓")) << where;
            EXPECT_FALSE(holds(seen, "counting")) << where;
            if (!slide.notes.empty()) {
                ++notes;
                EXPECT_FALSE(holds(seen, slide.notes)) << where;
                EXPECT_TRUE(holds(teachers_words(), slide.notes)) << where;
            }
            if (slide.kind != Slide::Kind::question) continue;
            ++questions;
            EXPECT_TRUE(holds(seen, slide.question.question.substr(0, 12))) << where;
            if (slide.question.explain.size() > 12) {
                EXPECT_FALSE(holds(seen, slide.question.explain)) << where;
            }
            for (const Prediction::Wrong& wrong : slide.question.wrong)
                EXPECT_FALSE(holds(seen, wrong.because)) << where;
        }
    }
    EXPECT_LT(90u, questions);
    EXPECT_LT(40u, notes);
}

// With everything counted: what is said before the answer is said by the teacher's window alone.
TEST_F(TwoScreens, TheAnswerIsTheTeachersUntilItIsAskedFor) {
    for (const char* stage : {"30_padded", "103_wrong_stride", "20_tiled", "zero/05_sectors_and_lines"}) {
        go_to_question(stage);
        ASSERT_TRUE(p.right) << stage;
        const Prediction& question = p.slides[p.at].question;
        const std::string& right = question.choices[*p.right];
        EXPECT_FALSE(holds(class_words(), "✓")) << stage;
        EXPECT_FALSE(holds(class_words(), question.explain)) << stage;
        EXPECT_TRUE(holds(teachers_words(), right + "  ✓")) << stage;
        EXPECT_TRUE(holds(teachers_words(), question.explain)) << stage;
        EXPECT_TRUE(holds(teachers_words(), "FOR YOU ALONE")) << stage;
        for (const Prediction::Wrong& wrong : question.wrong)
            EXPECT_TRUE(holds(teachers_words(), wrong.because)) << stage;
        frames.press(Key::space);
        show();
        EXPECT_TRUE(holds(class_words(), right + "  ✓")) << stage;
        EXPECT_TRUE(holds(class_words(), question.explain)) << stage;
        EXPECT_FALSE(holds(teachers_words(), "FOR YOU ALONE")) << stage;
        for (const Prediction::Wrong& wrong : question.wrong)
            EXPECT_FALSE(holds(class_words(), wrong.because)) << stage;
    }
}

// The answer is of the stage as it is, also where a scene before it has turned a knob and nothing else
// was counted; and of the form that is asked here, whichever the learner was asked.
TEST_F(TwoScreens, TheAnswerIsOfTheQuestionThatIsAsked) {
    for (bool second : {false, true}) {
        choose_stage(app, "10_naive");
        choose_stage(app, "30_padded");
        app.arrived.prediction_answer.clear();
        app.saved.progress[app.course_id()].second = second;
        start_presenting(app);
        go_to(1);
        EXPECT_EQ(0, app.chosen().knobs.at("PAD"));
        go_to(2);
        ASSERT_EQ(Slide::Kind::question, p.slides[2].kind);
        EXPECT_FALSE(p.right);
        show();
        ASSERT_TRUE(p.right);
        EXPECT_EQ("1", p.slides[2].question.choices[*p.right]);
    }
}

// What a scene reveals is not there before. One bit less: two wavefronts, which the banks show.
TEST_F(TwoScreens, ThePictureThatAnswersComesWithTheAnswer) {
    choose_stage(app, "32_swizzled");
    start_presenting(app);
    size_t at = 1;
    while (at + 1 < p.slides.size() && p.slides[at].title != "One bit less") ++at;
    go_to(at);
    ASSERT_EQ("One bit less", p.slides[p.at].title);
    show();
    EXPECT_FALSE(holds(class_words(), "2 wavefronts"));
    show_answer(app, true);
    show();
    EXPECT_TRUE(holds(class_words(), "2 wavefronts"));
}

// The tally is the teacher's at once, and the class's with the answer.
TEST_F(TwoScreens, CountsHands) {
    go_to_question("30_padded");
    frames.type("221");
    turn();
    EXPECT_TRUE(holds(teachers_words(), "HANDS UP · 3 hands"));
    EXPECT_TRUE(holds(class_words(), "3 hands"));
    EXPECT_FALSE(holds(class_words(), "2 of 3"));
    ASSERT_TRUE(frames.click("hands:1"));
    ASSERT_TRUE(raised_hands(p));
    EXPECT_EQ(2, raised_hands(p)->at(0));
    ASSERT_TRUE(frames.click("teacher:answer"));
    turn();
    EXPECT_TRUE(holds(class_words(), "2 of 4"));
}

// Where the teacher points at the small slide, the ring is at the same place of the large one, and the
// pointer too: a click on a choice there counts a hand.
TEST_F(TwoScreens, OnePointerForBoth) {
    go_to_question("30_padded");
    EXPECT_FALSE(find_widget(audience_audit(), "ring"));
    point_at(0.25f, 0.5f);
    const WidgetRecord* ring = find_widget(audience_audit(), "ring");
    ASSERT_TRUE(ring);
    EXPECT_NEAR(480, (ring->box.x0 + ring->box.x1) / 2, 2.5);  // of 1920; the mirror has 700 or so
    EXPECT_NEAR(540, (ring->box.y0 + ring->box.y1) / 2, 2.5);
    const double now = app.tools->moving.now;
    EXPECT_NEAR(kPointerSeconds, audience_due(p, now), 0.1);
    p.audience->moved -= kPointerSeconds;
    turn();
    EXPECT_FALSE(find_widget(audience_audit(), "ring"));
    EXPECT_GT(0, audience_due(p, now));

    const WidgetRecord* choice = find_widget(audience_audit(), "hands:2");
    ASSERT_TRUE(choice);
    point_at((choice->box.x0 + choice->box.x1) / 2 / 1920, (choice->box.y0 + choice->box.y1) / 2 / 1080);
    EXPECT_TRUE(find_widget(audience_audit(), "ring"));  // it moved
    send_button(true);
    turn();
    send_button(false);
    turn();
    ASSERT_TRUE(raised_hands(p));
    EXPECT_EQ(1, raised_hands(p)->at(1));
    EXPECT_EQ(0, raised_hands(p)->at(0));
    send_pointer({1, 1});
    turn();
    EXPECT_FALSE(find_widget(audience_audit(), "ring"));  // it points elsewhere
}

// What is typed goes into the editor that was opened there, and means nothing else meanwhile.
TEST_F(TwoScreens, TypeIntoTheClasssEditor) {
    choose_stage(app, "32_swizzled");
    start_presenting(app);
    size_t at = 1;
    while (at + 1 < p.slides.size() && !p.slides[at].show.starts_with("code:")) ++at;
    go_to(at);
    show();
    const WidgetRecord* edit = find_widget(audience_audit(), "edit:open");
    ASSERT_TRUE(edit);
    point_at((edit->box.x0 + edit->box.x1) / 2 / 1920, (edit->box.y0 + edit->box.y1) / 2 / 1080);
    send_button(true);
    turn();
    send_button(false);
    turn(4);
    ASSERT_TRUE(app.editing.on);
    ASSERT_TRUE(p.audience->takes_text);
    const std::string before = typed_source(app);
    for (char c : std::string("b w")) {
        send_character(static_cast<unsigned>(c));
        turn();
    }
    EXPECT_EQ(before.size() + 3, typed_source(app).size());
    EXPECT_NE(std::string::npos, typed_source(app).find("b w"));
    EXPECT_FALSE(p.blank);
    ASSERT_TRUE(p.audience);
    send_key(Key::backspace, true);
    turn();
    send_key(Key::backspace, false);
    turn();
    EXPECT_EQ(before.size() + 2, typed_source(app).size());
    EXPECT_EQ(at, p.at);
    // Escape leaves the text, and once more the editor, as in one window. Then the keys are back.
    frames.press(Key::escape);
    turn();
    EXPECT_TRUE(app.editing.on && p.on);
    EXPECT_FALSE(p.audience->takes_text);
    frames.press(Key::escape);
    turn();
    EXPECT_FALSE(app.editing.on);
    ASSERT_TRUE(p.on);
    frames.type('b');
    EXPECT_TRUE(p.blank);
}

TEST_F(TwoScreens, ABlankScreenIsTheClasssAlone) {
    turn();
    frames.type('b');
    turn();
    EXPECT_TRUE(audience_audit().texts.empty());
    EXPECT_TRUE(holds(teachers_words(), "THE CLASS SEES A BLANK SCREEN"));
    EXPECT_TRUE(holds(teachers_words(), "The screen again"));
    EXPECT_TRUE(frames.says("1 of "));
    frames.press(Key::space);
    turn();
    EXPECT_TRUE(holds(class_words(), "THE QUESTION"));
    EXPECT_EQ(0u, p.at);
}

TEST_F(TwoScreens, SayWhatComesNext) {
    turn();
    Coming next = what_comes(app);
    EXPECT_EQ(Coming::What::slide, next.what);
    EXPECT_EQ(p.slides[1].title, next.title);
    EXPECT_TRUE(holds(teachers_words(), p.slides[1].title));
    go_to_question("30_padded");
    EXPECT_EQ(Coming::What::answer, what_comes(app).what);
    p.revealed = true;
    EXPECT_EQ(Coming::What::slide, what_comes(app).what);
    p.at = p.slides.size() - 1;
    next = what_comes(app);
    EXPECT_EQ(Coming::What::lesson, next.what);
    const std::string title(next.title);
    turn();
    EXPECT_TRUE(holds(teachers_words(), "The next lesson: "));
    frames.press(Key::space);
    EXPECT_EQ(title, app.lesson().title);
    choose_stage(app, app.content.catalogue.stages().size() - 1);
    start_presenting(app);
    p.at = p.slides.size() - 1;
    p.revealed = true;
    EXPECT_EQ(Coming::What::end, what_comes(app).what);
}

TEST_F(TwoScreens, AMovingScenesStepsAreTheTeachers) {
    choose_stage(app, "32_swizzled");
    start_presenting(app);
    size_t at = 1;
    while (at + 1 < p.slides.size() && p.slides[at].title != "Row by row") ++at;
    go_to(at);
    show();
    EXPECT_TRUE(holds(class_words(), "Step 1 of 32"));
    EXPECT_FALSE(find_widget(audience_audit(), "moment next"));
    ASSERT_TRUE(frames.click("moment next"));
    turn();
    EXPECT_TRUE(holds(class_words(), "Step 2 of 32"));
}

// Nothing that a teacher does here is the learner's: neither a stage that was seen, nor a guess, nor
// what the counts prove.
TEST_F(TwoScreens, ChangeNobodysProgress) {
    stop_presenting(app);
    choose_stage(app, "30_padded");
    const auto progress = app.saved.progress;
    const std::string review = review_text(app.tools->review);
    start_presenting(app);
    for (int i = 0; i < 80 && app.stage().id != "transpose/40_float4"; ++i) {
        frames.answer();
        turn(1);
        point_at(0.2f, 0.5f);
        send_button(true);
        turn();
        send_button(false);
        turn();
        p.more_below = false;
        frames.type('1');
        frames.press(Key::page_down);
    }
    EXPECT_EQ("transpose/40_float4", app.stage().id);
    frames.answer();
    stop_presenting(app);
    EXPECT_EQ(review, review_text(app.tools->review));
    EXPECT_EQ(progress, app.saved.progress);
}

TEST_F(TwoScreens, FitEverySize) {
    struct Size {
        int wide, high;
    };
    for (const auto& [teacher, other] : {std::pair<Size, Size>{{1280, 720}, {1920, 1080}},
                                         {{900, 600}, {1024, 768}},
                                         {{1920, 1080}, {3840, 2160}},
                                         {{600, 700}, {1280, 720}}}) {
        frames.resize(teacher.wide, teacher.high);
        width = other.wide;
        height = other.high;
        for (const char* stage : {"30_padded", "101_blocks_not_swapped"}) {
            choose_stage(app, stage);
            start_presenting(app);
            for (size_t i = 1; i < p.slides.size(); ++i) {
                go_to(i);
                p.revealed = i % 2 == 0;
                set_theme(next_theme(look().theme));
                show();
                const std::string where = std::string(stage) + " " + std::to_string(teacher.wide) +
                                          ", slide " + std::to_string(i) + ": ";
                for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << where << fault;
                for (const std::string& fault :
                     contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
                    ADD_FAILURE() << where << fault;
                AudienceScreen::Turn turn(shown);
                EXPECT_EQ(app.tools->presenter.audience->width, static_cast<float>(width));
                for (const std::string& fault : text_faults(audience_audit()))
                    ADD_FAILURE() << where << "class: " << fault;
                for (const std::string& fault : contrast_faults(
                         audience_audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
                    ADD_FAILURE() << where << "class: " << fault;
            }
        }
    }
}

// Its type is as large as its own screen wants, and its colours are the teacher's.
TEST_F(TwoScreens, EachHasALookOfItsOwn) {
    turn();
    {
        AudienceScreen::Turn turn(shown);
        EXPECT_FLOAT_EQ(2, look().scale);  // 1920 pixels are 960 points
        EXPECT_EQ("dark", look().theme);
    }
    EXPECT_FLOAT_EQ(1, look().scale);
    frames.type('t');
    turn();
    EXPECT_EQ("light", look().theme);
    AudienceScreen::Turn turn(shown);
    EXPECT_EQ("light", look().theme);
}

TEST(TeachersClock, SaysTheTimeOfTheDay) {
    Audience audience;
    EXPECT_FALSE(minute_of_day(audience, 100));
    audience.midnight = 100 - (10 * 3600 + 42 * 60 + 30);
    EXPECT_EQ(10 * 60 + 42, minute_of_day(audience, 100));
    EXPECT_EQ(10 * 60 + 43, minute_of_day(audience, 130));
    EXPECT_EQ(0, minute_of_day(audience, 100 + 13 * 3600 + 17 * 60 + 30));  // the next midnight
    Presenter presenter;
    EXPECT_GT(0, audience_due(presenter, 100));
    presenter.on = true;
    presenter.audience = std::make_shared<Audience>(audience);
    EXPECT_DOUBLE_EQ(30, audience_due(presenter, 100));
    presenter.audience->over = true;
    presenter.audience->moved = 99;
    EXPECT_DOUBLE_EQ(3, audience_due(presenter, 100));  // the ring goes first
    presenter.blank = true;
    presenter.clock_began = 100;
    EXPECT_DOUBLE_EQ(12, clock_due(presenter, 103));  // the teacher's clock goes on
}

}  // namespace
}  // namespace lanewise::ui
