// The page at the end of a course: when it comes, what it says, and what it still hides.
#include "ui/desk/ending.h"

#include <gtest/gtest.h>

#include "../frames.h"
#include "ui/desk/commands.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

class EndingTest : public testing::Test {
  protected:
    EndingTest() { choose_mode(app, kLearn); }
    void pass_core_of(const std::string& course) {
        for (size_t place : core_of_course(path_of(app), app.content.catalogue.stages(), course))
            app.saved.progress[app.content.catalogue.stages()[place].id].passed = true;
    }
    Frames frames{1280, 720};
    App& app = frames.app;
};

TEST_F(EndingTest, TheLastLessonOfACourseLeadsToItOnceAllIsDone) {
    pass_core_of("matmul");
    choose_stage(app, "matmul/40_wmma");
    EXPECT_TRUE(ends_course(app));
    app.saved.progress.erase("matmul/20_shared_tiles");
    EXPECT_FALSE(ends_course(app));
    EXPECT_EQ("1 lesson of its core is still open.", cannot_end(app, "matmul"));
    app.saved.progress["matmul/20_shared_tiles"].tested_out = true;
    EXPECT_TRUE(ends_course(app));
    choose_stage(app, "matmul/30_register_tiles");
    EXPECT_FALSE(ends_course(app)) << "not the last";
    EXPECT_EQ("This course has no such page.", cannot_end(app, "pitfalls"));
}

TEST_F(EndingTest, TheCoachOpensItAndItsNextGoesOn) {
    pass_core_of("matmul");
    choose_stage(app, "matmul/40_wmma");
    frames.frame(3);
    ASSERT_TRUE(frames.click("ending"));
    EXPECT_TRUE(app.tools->ending.open);
    frames.frame(2);
    EXPECT_TRUE(frames.says("Products: course summary"));
    EXPECT_TRUE(frames.says("squares"));
    EXPECT_TRUE(frames.says("5.4 times as fast"));
    ASSERT_TRUE(frames.click("ending:next"));
    EXPECT_FALSE(app.tools->ending.open);
    EXPECT_EQ("reduction/00_interleaved", app.course_id());
    choose_stage(app, "matmul/40_wmma");
    EXPECT_FALSE(ends_course(app)) << "it was seen: Next leads on";
}

TEST_F(EndingTest, ItOpensOnlyWhenTheCoreIsDone) {
    choose_stage(app, "matmul/40_wmma");
    EXPECT_EQ("5 lessons of its core are still open.", find_command(app, "ending").problem);
    open_ending(app, "matmul");
    EXPECT_FALSE(app.tools->ending.open);
    pass_core_of("matmul");
    EXPECT_EQ("", find_command(app, "ending").problem);
    act(app, find_command(app, "ending"));
    EXPECT_TRUE(app.tools->ending.open);
    frames.frame(2);
    frames.press(Key::escape);
    EXPECT_FALSE(app.tools->ending.open);
}

// 50_diagonal is further: its question may not have been answered yet.
TEST_F(EndingTest, WhatALessonStillAsksStaysHidden) {
    frames.resize(1280, 1600);
    pass_core_of("transpose");
    choose_stage(app, "transpose/42_float4_turned");
    open_ending(app, "transpose");
    frames.frame(3);
    EXPECT_FALSE(frames.says("diagonals."));
    EXPECT_TRUE(frames.says("padding"));
    app.saved.progress["transpose/50_diagonal"].guess = "None";
    frames.frame(3);
    EXPECT_TRUE(frames.says("diagonals."));
}

TEST_F(EndingTest, AnExercisesCourseIsTheOneBesideIt) {
    choose_stage(app, "pitfalls/120_second_barrier");
    EXPECT_EQ("matmul", course_at_hand(app));
    choose_stage(app, "pitfalls/106_missing_barrier");
    EXPECT_EQ("transpose", course_at_hand(app));
}

TEST_F(EndingTest, TheProgressPageLeadsToIt) {
    pass_core_of("zero");
    frames.resize(1280, 1600);
    open_progress(app);
    frames.frame(3);
    ASSERT_TRUE(frames.click("ending:zero"));
    EXPECT_FALSE(app.tools->progress.open);
    EXPECT_TRUE(app.tools->ending.open);
    frames.frame(2);
    EXPECT_TRUE(frames.says("levels."));
}

}  // namespace
}  // namespace lanewise::ui
