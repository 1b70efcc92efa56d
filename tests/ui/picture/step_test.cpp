// The lane debugger in the window: recorded when asked for, then forward and back by keys, buttons and
// the slider; breakpoints in the margin; what goes wrong is one sentence, and nothing is lost.
#include "ui/instrument/step.h"

#include <gtest/gtest.h>

#include <bit>

#include "../frames.h"
#include "ui/desk/tools.h"
#include "ui/path/predict_first.h"

namespace lanewise::ui {
namespace {

class Steps : public testing::Test {
  protected:
    void SetUp() override {
        choose_mode(app, kWorkbench);
        choose_shape(app, 8, 40);
        choose_stage(app, "10_naive");
        choose_knob(app, "BLOCK_X", 32);
        choose_knob(app, "BLOCK_Y", 2);
        choose_view(app, "step");
        show();
        for (size_t i = 0; i < app.derived.source.lines.size(); ++i)
            if (app.derived.source.lines[i].find("// <-") != std::string::npos)
                store = static_cast<int>(i) + 1;
    }
    void show() {
        frames.answer();
        frames.frame(4);
    }
    void click(const std::string& id) {
        ASSERT_TRUE(frames.click(id)) << id;
        show();
    }
    void press(Key key, bool shift = false) {
        frames.press(key, false, shift);
        show();
    }
    void record() { click("step:record"); }
    const StepTool& tool() { return step_of(app); }
    const StepPlace& place() { return *tool().shown->reply.place; }
    const StepCells* cells(const std::string& name) {
        for (const StepCells& each : tool().cells)
            if (each.name == name) return &each;
        return nullptr;
    }
    std::string margin() const { return "break:" + std::to_string(store); }
    bool is_drawn(const std::string& id) const {
        return std::any_of(audit().widgets.begin(), audit().widgets.end(),
                           [&](const WidgetRecord& each) { return each.id == id; });
    }
    Frames frames{1600, 1000};
    App& app = frames.app;
    int store = 0;
};

TEST_F(Steps, NothingIsRecordedBeforeItIsAskedFor) {
    EXPECT_EQ(0, frames.engine.asked["step"]);
    EXPECT_TRUE(frames.says("Nothing is recorded yet."));
    press(Key::right);
    EXPECT_EQ(0, frames.engine.asked["step"]);
    record();
    EXPECT_EQ(1, frames.engine.asked["step"]);
    EXPECT_EQ(0u, place().at.step);
    EXPECT_TRUE(frames.says("Warp 0 of block (0,0): all 32 lanes execute line"));
    EXPECT_TRUE(is_drawn("step:moments"));
}

TEST_F(Steps, GoesOnAndBackByKeys) {
    record();
    press(Key::right);
    const StepMoment second = place().at;
    const int line = place().line;
    EXPECT_GT(second.step, 0u);
    press(Key::f10);
    EXPECT_GT(place().at, second);
    EXPECT_NE(line, place().line);
    press(Key::f10, true);
    EXPECT_EQ(second, place().at);
    press(Key::left);
    EXPECT_EQ(0u, place().at.step);
    press(Key::left);  // beyond the begin: a sentence, and it stays there
    EXPECT_EQ(0u, place().at.step);
    EXPECT_TRUE(frames.says("there is nothing before"));
    click("step:by_instruction");
    press(Key::right);
    EXPECT_EQ(1u, place().at.step);
    press(Key::end);
    EXPECT_EQ(tool().shown->steps, place().at.step);
    EXPECT_TRUE(frames.says("has returned"));
    press(Key::home);
    EXPECT_EQ(0u, place().at.step);
}

// Block 3 is (1,1): columns 32 to 63 of 40, and rows 2 and 3.
TEST_F(Steps, ShowsTheLanesThatTakePart) {
    choose_block(app, 3);
    show();
    record();
    click(margin());
    EXPECT_EQ(1u, tool().shown->breaks.size());
    press(Key::space);
    EXPECT_EQ(store, place().line);
    EXPECT_EQ(0xffu, place().look.lanes);
    ASSERT_TRUE(cells("row") && cells("col"));
    EXPECT_EQ("2 in all lanes", cells("row")->words);
    EXPECT_EQ("", cells("col")->words);
    EXPECT_EQ("39", cells("col")->texts[7]);
    EXPECT_TRUE(frames.says("8 of 32 lanes execute line"));
    EXPECT_TRUE(frames.says("8 lanes here"));
    // A click on a lane chooses it for every view.
    click("cells:col:5");
    EXPECT_EQ(5, app.chosen().lane);
    // The second warp comes next: every view shows it then.
    breaks_of(app).at(0).condition = "warp == 1";
    press(Key::space);
    EXPECT_EQ(1u, place().warp);
    EXPECT_EQ(1u, app.chosen().warp);
    click(margin());
    EXPECT_TRUE(breaks_of(app).empty());
}

TEST_F(Steps, FollowsTheChosenBlockAndWarp) {
    record();
    press(Key::right);
    const StepMoment before = place().at;
    choose_warp(app, 1);
    show();
    EXPECT_EQ(1u, place().warp);
    EXPECT_EQ(before, place().at);  // another warp of the same moment
    choose_block(app, 5);
    show();
    EXPECT_EQ(5u, place().at.block);
    EXPECT_EQ(0u, place().at.step);
    click("step:warp:0");
    EXPECT_EQ(0u, place().warp);
}

TEST_F(Steps, AConditionThatCannotBeReadIsOneSentence) {
    record();
    click(margin());
    breaks_of(app).at(0).condition = "row ==";
    press(Key::space);
    EXPECT_TRUE(frames.says("A name or a number is missing here."));
    ASSERT_EQ(1u, breaks_of(app).size());
    EXPECT_EQ("row ==", breaks_of(app)[0].condition);
    breaks_of(app)[0].condition = "1 / (lane - 3) == 9";
    press(Key::home);
    press(Key::space);
    EXPECT_TRUE(frames.says("divides by zero in lane 3"));
    breaks_of(app)[0].condition = "row == 1 && lane > 16";
    press(Key::home);
    choose_warp(app, 0);
    choose_block(app, 0);
    show();
    press(Key::space);
    EXPECT_TRUE(frames.says("for lanes 17 to 31"));
}

TEST_F(Steps, AnotherSettingIsRecordedAnewWithTheSameBreakpoints) {
    record();
    click(margin());
    choose_knob(app, "BLOCK_Y", 4);
    show();
    EXPECT_FALSE(tool().shown);
    EXPECT_TRUE(frames.says("The setting is another one"));
    record();
    EXPECT_EQ(4u, tool().shown->warps.size());
    EXPECT_EQ(store, tool().shown->breaks.at(0).line);
    choose_stage(app, "20_tiled");
    show();
    EXPECT_TRUE(breaks_of(app).empty());
    choose_stage(app, "10_naive");
    show();
    EXPECT_EQ(1u, breaks_of(app).size());
}

TEST_F(Steps, WatchesAndSaysWhoWrote) {
    record();
    press(Key::end);
    step_of(app).watch = "lane * 3";
    frames.frame(2);
    click("step:add_watch");
    ASSERT_TRUE(cells("lane * 3"));
    EXPECT_EQ("93", cells("lane * 3")->texts[31]);
    // out[col * rows + row]: element 8 is column 1 of row 0.
    step_of(app).who = "out[8]";
    frames.frame(2);
    click("step:ask_who");
    EXPECT_TRUE(frames.says("written by block (0,0), warp 0, lane 1"));
    click("step:to_write");
    EXPECT_EQ(tool().written->write.at, place().at);
    EXPECT_EQ(store, place().line);
    click("step:unwatch:0");
    EXPECT_FALSE(cells("lane * 3"));
    step_of(app).who = "nothing[1]";
    frames.frame(2);
    click("step:ask_who");
    EXPECT_FALSE(tool().shown->reply.error.empty());
    EXPECT_TRUE(tool().shown->reply.place);
}

TEST_F(Steps, StandsInAPaneAsWell) {
    record();
    choose_view(app, "access");
    app.saved.panes.below = "step";
    show();
    EXPECT_TRUE(is_drawn("step:next"));
    press(Key::f10);
    EXPECT_GT(place().at.step, 0u);
}

TEST_F(Steps, ShowsNothingWhileAnAnswerIsHidden) {
    record();
    app.learner.predicts_first = true;
    show();
    if (!answer_is_hidden(app)) GTEST_SKIP() << "this stage asks nothing";
    EXPECT_FALSE(is_drawn("step:next"));
    const StepMoment before = place().at;
    press(Key::right);
    press(Key::f10);
    EXPECT_EQ(before, place().at);
}

// The engine that answers is another one than that which recorded: it records again.
TEST_F(Steps, AFailureIsOneSentenceAndTheMomentStays) {
    record();
    press(Key::right);
    const StepMoment before = place().at;
    frames.engine.unanswered.insert("step");
    press(Key::right);
    EXPECT_EQ(before, place().at);
    frames.engine.unanswered.clear();
    press(Key::right);
    EXPECT_GT(place().at, before);
    fail_step(app, "the engine ended; it starts anew");
    frames.frame(2);
    EXPECT_TRUE(frames.says("The engine ended; it starts anew."));
    EXPECT_TRUE(is_drawn("step:next"));
}

TEST_F(Steps, FitsEverySize) {
    for (auto [width, height, scale] :
         {std::tuple{1280, 720, 1.f}, {1600, 1000, 1.f}, {1600, 1000, 2.f}, {2560, 1440, 2.f}}) {
        frames.resize(width, height);
        set_scale(scale);
        show();
        if (!tool().shown) record();
        press(Key::right);
        EXPECT_EQ(std::vector<std::string>(), text_faults(audit())) << width << " " << scale;
    }
    set_scale(1);
}

// Lanes that are off, what has changed, a breakpoint and a refused one: all can be read.
TEST_F(Steps, CanBeReadInEveryTheme) {
    choose_block(app, 3);
    show();
    record();
    breaks_of(app) = {{store, ""}, {store, "row =="}};
    press(Key::space);
    click("step:by_instruction");
    press(Key::right);
    choose_lane(app, 20);
    for (const char* theme : {"dark", "light", "projector"}) {
        set_theme(theme);
        frames.frame(4);
        EXPECT_TRUE(frames.says("8 lanes here"));
        EXPECT_EQ(std::vector<std::string>(),
                  contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
            << theme;
    }
    set_theme("dark");
}

// As `at` of the terminal takes it; it records first.
TEST_F(Steps, ComesToAMomentOfItsOwn) {
    show_how(app, "block 3 thread 32 line " + std::to_string(store));
    show();
    EXPECT_EQ(3u, place().at.block);
    EXPECT_EQ(1u, place().warp);
    EXPECT_EQ(store, place().line);
    EXPECT_EQ(3u, app.chosen().block);
}

TEST_F(Steps, AFindingLeadsToItsMoment) {
    choose_shape(app, 64, 64);
    choose_stage(app, "106_missing_barrier");
    choose_view(app, "access");
    show();
    ASSERT_TRUE(app.of_launch());
    ASSERT_FALSE(app.of_launch()->report.findings.empty());
    const Finding finding = app.of_launch()->report.findings[0];
    click("finding:how:0");
    EXPECT_EQ("step", app.chosen().tab);
    EXPECT_EQ(finding.line, place().line);
    EXPECT_EQ(finding.block, place().block);
    EXPECT_EQ(1, std::popcount(place().lanes));  // its thread's
}

// Within each tile nothing is turned: element 1 of the first row is the first that is wrong, and lane
// 1 of the first warp writes it.
TEST_F(Steps, AWrongElementLeadsToItsStore) {
    choose_shape(app, 64, 64);
    choose_stage(app, "102_tile_not_swapped");
    choose_view(app, "access");
    frames.resize(1600, 1600);
    show();
    click("badge:wrong result");
    show();
    click("mismatch:how");
    EXPECT_EQ("step", app.chosen().tab);
    EXPECT_EQ("(0,0)", place().block);
    EXPECT_EQ(0u, place().warp);
    EXPECT_NE(0u, place().lanes & 2u);
    EXPECT_NE(std::string::npos, place().source.find("out["));
    EXPECT_TRUE(frames.says("out[1]"));
}

TEST_F(Steps, AnAccessLeadsToItsLine) {
    choose_view(app, "access");
    frames.resize(1600, 1600);
    choose_warp(app, 1);
    show();
    click("to step");
    EXPECT_EQ("step", app.chosen().tab);
    EXPECT_EQ(1u, place().warp);
    EXPECT_EQ(store, place().line);  // load and store stand in one line
}

TEST_F(Steps, F9SetsABreakpointWhereItStands) {
    frames.press(Key::f9);
    EXPECT_TRUE(breaks_of(app).empty());  // nothing is recorded
    record();
    press(Key::f10);
    const int line = place().line;
    press(Key::f9);
    ASSERT_EQ(1u, breaks_of(app).size());
    EXPECT_EQ(line, breaks_of(app)[0].line);
    press(Key::f9);
    EXPECT_TRUE(breaks_of(app).empty());
}

TEST_F(Steps, EveryOtherViewIsAboutItsLine) {
    record();
    choose_line(app, 1);
    show_how(app, "block 0 thread 0 line " + std::to_string(store));
    show();
    EXPECT_EQ(store, highlighted_line(app));
    const AccessRow& row =
        app.derived.rows_of[0][static_cast<size_t>(chosen_row(app, Space::global))];
    EXPECT_EQ(store, row.line);
}

}  // namespace
}  // namespace lanewise::ui
