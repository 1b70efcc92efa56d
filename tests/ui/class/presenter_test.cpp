// Presenting: the scenes in order, by Space and a clicker's keys; hidden answers, hands, the clock.
#include "ui/desk/presenter.h"

#include <gtest/gtest.h>

#include "../frames.h"
#include "lab/mismatch/mismatch_map.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

class Presenting : public testing::Test {
  protected:
    Presenting() {
        choose_shape(app, 128, 128);
        choose_stage(app, "22_coarsened");
        frames.answer();
        frames.frame(2);
    }
    void go_to(Slide::Kind kind) {
        for (int i = 0; i < 40 && p.slides.at(p.at).kind != kind; ++i) {
            p.revealed = true;
            p.more_below = false;
            next_scene(app);
        }
        frames.answer();
        frames.frame(3);
    }
    Frames frames;
    App& app = frames.app;
    Presenter& p = app.tools->presenter;
};

TEST_F(Presenting, BeginsAndEndsWithF11AndKeepsTheSize) {
    frames.press(Key::f11);
    ASSERT_TRUE(p.on);
    frames.frame(2);
    EXPECT_FLOAT_EQ(1.3f, look().scale);  // 1280 pixels are about 960 points
    EXPECT_EQ(1, app.saved.scale);
    EXPECT_TRUE(frames.says("1 of "));
    EXPECT_TRUE(frames.says("0:00"));
    EXPECT_FALSE(frames.says("SETTING"));
    frames.press(Key::f11);
    EXPECT_FALSE(p.on);
    EXPECT_FLOAT_EQ(1, look().scale);
    frames.press(Key::f11);
    frames.press(Key::escape);
    EXPECT_FALSE(p.on);
}

TEST_F(Presenting, SpaceAndAClickerGoOn) {
    choose_stage(app, "102_tile_not_swapped");
    start_presenting(app);
    frames.frame(2);
    frames.press(Key::space);
    EXPECT_EQ(1u, p.at);  // the claim
    frames.press(Key::page_down);
    EXPECT_EQ(2u, p.at);  // the question
    frames.press(Key::page_down);
    EXPECT_EQ(2u, p.at);  // its answer first
    EXPECT_TRUE(p.revealed);
    frames.press(Key::page_down);
    EXPECT_EQ(3u, p.at);
    EXPECT_EQ(0u, app.chosen().block);  // the page keys are the clicker's, not the picture's
    frames.press(Key::page_up);
    EXPECT_EQ(2u, p.at);
    EXPECT_FALSE(p.revealed);
    frames.press(Key::page_up);
    frames.press(Key::page_up);
    frames.press(Key::page_up);  // the stage before, at its end
    EXPECT_EQ("pitfalls/101_blocks_not_swapped", app.stage().id);
    EXPECT_EQ(p.slides.size() - 1, p.at);
    frames.press(Key::page_down);
    EXPECT_EQ("pitfalls/102_tile_not_swapped", app.stage().id);
    EXPECT_EQ(0u, p.at);
}

TEST_F(Presenting, HidesTheAnswerUntilItIsAskedFor) {
    start_presenting(app);
    go_to(Slide::Kind::question);
    EXPECT_TRUE(frames.says("HANDS UP"));
    EXPECT_FALSE(frames.says("✓"));
    frames.type('a');
    EXPECT_TRUE(frames.says("✓"));
    frames.type('a');
    EXPECT_FALSE(frames.says("✓"));
}

// It is the teacher's lesson: nothing of it counts as the learner's.
TEST_F(Presenting, SolvesNoTask) {
    for (const char* stage : {"30_padded", "106_missing_barrier"}) {
        choose_stage(app, stage);
        start_presenting(app);
        for (int i = 0; i < 60 && app.course_id().ends_with(stage); ++i) {
            frames.answer();
            frames.press(Key::page_down);
        }
        stop_presenting(app);
    }
    for (const auto& [stage, progress] : app.saved.progress) {
        EXPECT_FALSE(progress.passed) << stage;
        EXPECT_TRUE(progress.guess.empty() && progress.written.empty()) << stage;
    }
}

// Nobody sees the tally before the answer: a class votes with the majority.
TEST_F(Presenting, CountsHands) {
    start_presenting(app);
    go_to(Slide::Kind::question);
    frames.type("221");
    frames.frame(2);
    ASSERT_TRUE(raised_hands(p));
    EXPECT_EQ((std::vector<int>{1, 2}),
              std::vector<int>(raised_hands(p)->begin(), raised_hands(p)->begin() + 2));
    EXPECT_TRUE(frames.says("3 hands"));
    EXPECT_FALSE(frames.says("2 of 3"));
    frames.press(Key::space);
    frames.frame(2);
    EXPECT_TRUE(frames.says("2 of 3"));
    ASSERT_TRUE(frames.click("hands:1"));
    EXPECT_TRUE(frames.says("2 of 4"));
    frames.type('+');
    frames.frame(2);
    EXPECT_TRUE(frames.says("3 of 5"));
    frames.type('-');
    frames.type('-');
    frames.frame(2);
    EXPECT_TRUE(frames.says("2 of 3"));
    frames.type('9');  // no such choice
    frames.type('0');
    frames.frame(2);
    EXPECT_FALSE(frames.says("of 3"));
    frames.type('-');  // nobody is left to take a hand back
    EXPECT_FALSE(raised_hands(p));
}

// A scene that only asks in its words: one count, which all see at once.
TEST_F(Presenting, CountsHandsWithoutChoices) {
    choose_stage(app, "30_padded");
    start_presenting(app);
    go_to(Slide::Kind::part);
    frames.type("112");
    frames.frame(2);
    EXPECT_TRUE(frames.says("2 hands"));
    frames.type('-');
    frames.frame(2);
    EXPECT_TRUE(frames.says("1 hand"));
    size_t here = p.at;
    next_scene(app);
    frames.frame(2);
    EXPECT_FALSE(frames.says("1 hand"));  // another scene
    scene_before(app);
    ASSERT_EQ(here, p.at);
    frames.frame(2);
    EXPECT_TRUE(frames.says("1 hand"));
}

// A scene's own question is about its own setting, and what it reveals is not there before.
TEST_F(Presenting, AScenesQuestionIsAnsweredAtItsSetting) {
    choose_stage(app, "32_swizzled");
    start_presenting(app);
    for (p.at = 0; !(p.slides.at(p.at + 1).of_scene);) ++p.at;
    p.revealed = true;
    next_scene(app);
    const Slide& slide = p.slides[p.at];
    EXPECT_EQ("One bit less", slide.title);
    EXPECT_EQ(15, app.chosen().knobs.at("MASK"));
    EXPECT_EQ("view:banks", slide.reveal);
    frames.frame(3);
    EXPECT_FALSE(p.right);  // not counted yet
    frames.answer();
    frames.frame(3);
    EXPECT_FALSE(frames.says("2 wavefronts"));
    ASSERT_TRUE(p.right);
    EXPECT_EQ("2", slide.question.choices[*p.right]);
    frames.press(Key::page_down);
    frames.answer();
    frames.frame(3);
    EXPECT_TRUE(p.revealed);
    EXPECT_EQ("banks", app.chosen().tab);
    EXPECT_TRUE(frames.says("2  ✓"));
    EXPECT_TRUE(frames.says("2 wavefronts"));
    EXPECT_TRUE(frames.says(slide.question.explain.substr(0, 12)));
}

// The map of a wrong result is not there before the answer is asked for; nor does it stay open.
TEST_F(Presenting, AWrongResultIsAPicture) {
    choose_stage(app, "101_blocks_not_swapped");
    start_presenting(app);
    go_to(Slide::Kind::question);
    EXPECT_EQ("proof:correct", p.slides[p.at].reveal);
    EXPECT_EQ(256, app.chosen().rows);
    EXPECT_FALSE(presents_proof(app));
    EXPECT_FALSE(wants_mismatch(app));
    frames.press(Key::space);
    frames.frame(2);
    ASSERT_TRUE(presents_proof(app));
    EXPECT_TRUE(frames.says("Looking where it is wrong"));
    EXPECT_TRUE(mismatch_due(app));  // the window asks without anybody's touching anything
    frames.answer();
    EXPECT_FALSE(mismatch_due(app));
    frames.frame(3);
    EXPECT_TRUE(frames.says("57,344 of 65,536 elements wrong"));  // 56 of 64 tiles
    EXPECT_TRUE(frames.says("Every 32 × 32 tile is turned"));
    EXPECT_TRUE(frames.says("8  ✓"));
    stop_presenting(app);
    EXPECT_FALSE(mismatch_shown(app));
}

// That of a right one is a picture too: of the claim that the scenes begin with.
TEST_F(Presenting, ARightResultIsAPictureToo) {
    choose_stage(app, "101_blocks_not_swapped");
    start_presenting(app);
    next_scene(app);
    EXPECT_EQ(32, app.chosen().rows);
    frames.frame(2);
    EXPECT_TRUE(frames.says("Counting the whole launch") || frames.says("Not counted"));
    frames.answer();
    frames.frame(3);
    EXPECT_TRUE(frames.says("0 of 1,024 elements wrong"));
    for (p.at = 0; p.slides[p.at + 1].state.block != 1;) ++p.at;
    p.revealed = true;
    next_scene(app);
    EXPECT_EQ(1u, app.chosen().block);
    EXPECT_FALSE(presents_proof(app));
}

TEST_F(Presenting, ScenesTurnKnobsAndShowViews) {
    choose_stage(app, "30_padded");
    start_presenting(app);
    next_scene(app);
    EXPECT_EQ(0, app.chosen().knobs.at("PAD"));
    EXPECT_EQ("banks", app.chosen().tab);
    frames.answer();
    frames.frame(3);
    EXPECT_TRUE(frames.says("32 wavefronts"));  // the picture stands beside the words
}

TEST_F(Presenting, ScenesSetAllAndNothingStays) {
    choose_stage(app, "32_swizzled");
    start_presenting(app);
    auto go_to_title = [&](const std::string& title) {
        for (p.at = 0; p.at + 1 < p.slides.size() && p.slides[p.at + 1].title != title;) ++p.at;
        p.revealed = true;
        next_scene(app);
    };
    go_to_title("One bit less");
    EXPECT_EQ(15, app.chosen().knobs.at("MASK"));
    EXPECT_EQ((CompareWith{CompareWith::Kind::knob, "MASK", 31}), app.beside[0].with);
    choose_knob(app, "ROWS", 16);  // tried by the teacher
    go_to_title("Sixteen wide");
    EXPECT_EQ(16, app.chosen().knobs.at("TILE"));
    EXPECT_EQ(31, app.chosen().knobs.at("MASK"));
    EXPECT_EQ(8, app.chosen().knobs.at("ROWS"));
    EXPECT_EQ("transpose/30_padded", app.beside[0].with.name);
    // Another type and shape last as long as their scene, and not beyond the stage.
    choose_stage(app, "12_naive_write");
    start_presenting(app);
    go_to_title("Wider elements");
    EXPECT_EQ("f64", app.chosen().type);
    for (int i = 0; i < 4 && app.stage().id == "transpose/12_naive_write"; ++i) {
        p.revealed = true;
        p.more_below = false;
        next_scene(app);
    }
    EXPECT_EQ("transpose/20_tiled", app.stage().id);
    EXPECT_EQ("f32", app.chosen().type);
    EXPECT_EQ(128, app.chosen().rows);
    EXPECT_EQ(CompareWith::Kind::automatic, app.beside[0].with.kind);
}

TEST_F(Presenting, ScenesLookAtAnAccessAndALane) {
    choose_stage(app, "05_strided");
    start_presenting(app);
    for (p.at = 0; p.slides[p.at + 1].title != "All lanes at the same moment";) ++p.at;
    p.revealed = true;
    next_scene(app);
    EXPECT_EQ(-1, app.chosen().lane);  // until its picture is there
    frames.answer();
    frames.frame(3);
    EXPECT_EQ(1, app.chosen().lane);
    ASSERT_TRUE(shown_moment(app));
    auto line = static_cast<size_t>(shown_moment(app)->line);
    EXPECT_NE(std::string::npos,
              app.derived.source.lines.at(line - 1).find("in[size_t(row) * cols + col]"));
}

// The scene's moments are the tile's rows, as the machine filled them: eight warps, four rows each.
TEST_F(Presenting, AMovingSceneStepsFromMomentToMoment) {
    choose_stage(app, "32_swizzled");
    frames.answer();
    frames.press(Key::f11);
    for (int i = 0; i < 20 && p.slides.at(p.at).title != "Row by row"; ++i) {
        p.revealed = true;
        p.more_below = false;
        next_scene(app);
    }
    ASSERT_EQ("Row by row", p.slides.at(p.at).title);
    EXPECT_EQ("flow", app.chosen().tab);
    frames.answer();
    frames.frame(3);
    std::vector<int> moments = scene_moments(app);
    ASSERT_EQ(32u, moments.size());
    const int& step = app.tools->flow.step;
    EXPECT_EQ(moments[0], step);
    frames.press(Key::left);  // there is none before
    EXPECT_EQ(moments[0], step);
    frames.press(Key::right);
    EXPECT_EQ(moments[1], step);
    frames.press(Key::right);
    EXPECT_EQ(moments[2], step);
    frames.press(Key::left);
    EXPECT_EQ(moments[1], step);
    step_moment(app, 1000);
    EXPECT_EQ(moments[31], step);
    next_scene(app);
    EXPECT_TRUE(scene_moments(app).empty());
}

// The words are beside the picture, and the picture is what one sees without scrolling.
TEST_F(Presenting, ThePictureIsInSight) {
    for (const char* stage : {"30_padded", "20_tiled"}) {
        choose_stage(app, stage);
        start_presenting(app);
        for (p.at = 0; p.slides[p.at + 1].show != "view:banks";) ++p.at;
        p.revealed = true;
        next_scene(app);
        frames.engine.unanswered.clear();
        frames.answer();
        frames.frame(4);
        bool seen = false;
        for (const WidgetRecord& widget : audit().widgets)
            if (widget.id == "tile") seen = widget.box.y0 < 720 / 3;
        EXPECT_TRUE(seen) << stage;
        stop_presenting(app);
    }
}

TEST_F(Presenting, BlanksTheScreen) {
    start_presenting(app);
    frames.frame(2);
    frames.type('b');
    frames.frame(2);
    EXPECT_FALSE(frames.says("1 of "));
    frames.press(Key::space);
    frames.frame(2);
    EXPECT_TRUE(frames.says("1 of "));
    EXPECT_EQ(0u, p.at);
}

TEST_F(Presenting, EveryLessonFitsTheScreen) {
    for (auto [width, height] : {std::pair{1280, 720}, std::pair{3840, 2160}}) {
        frames.resize(width, height);
        for (const char* stage : {"30_padded", "10_naive", "101_blocks_not_swapped"}) {
            choose_stage(app, stage);
            start_presenting(app);
            for (size_t i = 0; i < p.slides.size(); ++i) {
                p.at = i;
                p.revealed = true;
                set_theme(next_theme(look().theme));
                frames.answer();
                frames.frame(3);
                std::string where = std::string(stage) + ", scene " + std::to_string(i) + ": ";
                for (const std::string& fault : text_faults(audit()))
                    ADD_FAILURE() << where << fault;
                for (const std::string& fault :
                     contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
                    ADD_FAILURE() << where << fault;
            }
            stop_presenting(app);
        }
    }
}

// What each scene of each exercise shows is there, whole, and its question has an answer.
TEST_F(Presenting, EveryExercisesScenesFitTheScreen) {
    set_theme("projector");
    for (const Stage& stage : app.content.catalogue.stages()) {
        if (!is_exercise(stage)) continue;
        choose_stage(app, stage.id);
        start_presenting(app);
        for (size_t i = 1; i + 1 < p.slides.size(); ++i) {
            p.at = i - 1;
            p.revealed = true;
            p.more_below = false;
            next_scene(app);
            ASSERT_EQ(i, p.at);
            frames.answer();
            frames.frame(3);
            show_answer(app, true);
            frames.answer();
            frames.frame(3);
            std::string where = stage.id + ", " + p.slides[i].title + ": ";
            EXPECT_EQ("", app.said.error) << where;
            EXPECT_TRUE(p.right || !p.slides[i].of_scene) << where;
            for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << where << fault;
            EXPECT_FALSE(frames.says("Looking where")) << where;
            // The whole of a question, with what is said of the answer, is seen without scrolling.
            EXPECT_FALSE(p.more_below && p.slides[i].of_scene) << where;
        }
        stop_presenting(app);
    }
}

// By quarters of a minute, then by whole ones: nothing is drawn anew before.
TEST(PresentersClock, ShowsWhatLastsAWhile) {
    struct Case {
        double elapsed;
        int minutes, seconds;
        bool whole_minutes;
        double next;
    };
    for (const Case& c : {Case{0, 0, 0, false, 15},
                          {14.5, 0, 0, false, 0.5},
                          {15, 0, 15, false, 15},
                          {299, 4, 45, false, 1},
                          {599, 9, 45, false, 1},
                          {600, 10, 0, true, 60},
                          {779, 12, 0, true, 1}}) {
        const ClockTime time = clock_time(c.elapsed);
        EXPECT_EQ(c.minutes, time.minutes) << c.elapsed;
        EXPECT_EQ(c.seconds, time.seconds) << c.elapsed;
        EXPECT_EQ(c.whole_minutes, time.whole_minutes) << c.elapsed;
        EXPECT_DOUBLE_EQ(c.next, time.next) << c.elapsed;
    }
    Presenter presenter;
    EXPECT_GT(0, clock_due(presenter, 100));
    presenter.on = true;
    EXPECT_GT(0, clock_due(presenter, 100));  // not yet drawn, which shows it
    presenter.clock_began = 100;
    EXPECT_DOUBLE_EQ(12, clock_due(presenter, 103));
    presenter.blank = true;
    EXPECT_GT(0, clock_due(presenter, 103));
}

}  // namespace
}  // namespace lanewise::ui
