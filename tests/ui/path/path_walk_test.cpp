// The learner on the path: what comes next, what one question settles, and how much is left.
#include "ui/desk/path_walk.h"

#include <gtest/gtest.h>

#include "../frames.h"
#include "base/text.h"
#include "ui/desk/tools.h"
#include "ui/learn/path_lines.h"

namespace lanewise::ui {
namespace {

class PathWalkTest : public testing::Test {
  protected:
    PathWalkTest() { choose_mode(app, kLearn); }
    std::string next() const {
        std::optional<size_t> found = next_lesson(app);
        return found ? app.content.catalogue.stages()[*found].id : "";
    }
    const PathSection& section_of(const std::string& stage) const {
        for (const PathSection& section : path_of(app).sections)
            for (const PathLesson& lesson : section.lessons)
                if (lesson.stage == stage) return section;
        throw Error(Status::failed_check, stage + " is further");
    }
    Frames frames;
    App& app = frames.app;
};

TEST_F(PathWalkTest, NextFollowsThePathAndPassesOverWhatIsKnown) {
    choose_stage(app, "transpose/00_copy");
    EXPECT_EQ("transpose/05_strided", next());  // 02 is further
    choose_stage(app, "transpose/30_padded");
    EXPECT_EQ("pitfalls/107_padding_16_wide", next());
    app.saved.progress["pitfalls/107_padding_16_wide"].tested_out = true;
    EXPECT_EQ("pitfalls/106_missing_barrier", next());
    choose_stage(app, "transpose/42_float4_turned");
    EXPECT_EQ("matmul/10_naive_product", next());
    choose_stage(app, "transpose/22_coarsened");
    EXPECT_EQ(app.content.catalogue.stages()[first_open_lesson(app)].id, next());
}

TEST_F(PathWalkTest, TheTimeLeftIsThePaths) {
    const int all = minutes_left(path_of(app), [](const std::string&) { return false; });
    std::string said = duration_text(all);
    EXPECT_EQ("A" + said.substr(1) + " of the core left", core_left(app));
    for (const PathSection& section : path_of(app).sections)
        for (const PathLesson& lesson : section.lessons)
            app.saved.progress[lesson.stage].passed = lesson.stage != "transpose/40_float4";
    said = duration_text(core_lesson(path_of(app), "transpose/40_float4")->minutes);
    EXPECT_EQ("A" + said.substr(1) + " of the core left", core_left(app));
    app.saved.progress["transpose/40_float4"].tested_out = true;
    EXPECT_EQ("The core is done.", core_left(app));
}

TEST_F(PathWalkTest, ARightAnswerMarksTheLessonKnown) {
    choose_stage(app, "transpose/10_naive");
    claim(app, "transpose/10_naive");
    EXPECT_TRUE(is_claimed(app, "transpose/10_naive"));
    settle_claim(app, "transpose/10_naive", true);
    EXPECT_TRUE(is_tested_out(app, "transpose/10_naive"));
    EXPECT_FALSE(app.saved.progress["transpose/10_naive"].passed) << "the task was not solved";
    EXPECT_TRUE(is_lesson_done(app, "transpose/10_naive"));
    EXPECT_FALSE(is_claimed(app, "transpose/10_naive"));
}

TEST_F(PathWalkTest, AWrongAnswerLeadsIntoTheLesson) {
    claim(app, "transpose/10_naive");
    settle_claim(app, "transpose/10_naive", false);
    EXPECT_FALSE(is_tested_out(app, "transpose/10_naive"));
    EXPECT_EQ("transpose/10_naive", app.course_id());
    EXPECT_EQ("transpose/12_naive_write", next());
}

TEST_F(PathWalkTest, AnAnswerWithoutAClaimSettlesNothing) {
    choose_stage(app, "transpose/10_naive");
    settle_claim(app, "transpose/10_naive", true);
    EXPECT_FALSE(is_tested_out(app, "transpose/10_naive"));
}

TEST_F(PathWalkTest, ASectionIsSettledByItsLastLesson) {
    const PathSection section = section_of("transpose/30_padded");
    EXPECT_EQ("pitfalls/106_missing_barrier", asked_of(app, section));
    claim(app, asked_of(app, section), section.title);
    EXPECT_EQ("pitfalls/106_missing_barrier", app.course_id());
    settle_claim(app, app.course_id(), false);
    EXPECT_EQ("transpose/20_tiled", next()) << "the section's first open lesson";
    choose_stage(app, "transpose/00_copy");
    claim(app, asked_of(app, section), section.title);
    settle_claim(app, app.course_id(), true);
    for (const PathLesson& lesson : section.lessons)
        EXPECT_TRUE(is_tested_out(app, lesson.stage)) << lesson.stage;
    EXPECT_EQ("transpose/40_float4", next());
}

TEST_F(PathWalkTest, WhatWasAnsweredOrShownCannotBeClaimed) {
    EXPECT_EQ("", cannot_claim(app, "transpose/10_naive"));
    app.learner.shown_unpredicted.insert("transpose/10_naive");
    EXPECT_NE("", cannot_claim(app, "transpose/10_naive"));
    app.saved.progress["transpose/12_naive_write"].guess = "4";
    EXPECT_NE("", cannot_claim(app, "transpose/12_naive_write"));
    app.tools->review.stages["transpose/12_naive_write"] = {0, today() - 1000, false, false, {}};
    EXPECT_EQ("", cannot_claim(app, "transpose/12_naive_write")) << "it is due again";
}

TEST_F(PathWalkTest, SaysWhatWasShown) {
    Lesson lesson;
    lesson.aim = "After this you can pad a tile.";
    EXPECT_EQ("You can now pad a tile.", what_was_shown(lesson));
    lesson.gate.catches = "One fits all.";
    EXPECT_EQ("You did not fall for: “One fits all.”\nYou can now pad a tile.",
              what_was_shown(lesson));
}

// Both shares are the recording's own.
TEST_F(PathWalkTest, TheGainIsTheRecordings) {
    choose_stage(app, "transpose/30_padded");
    auto share = [&](const std::string& id) {
        const Stage& stage = app.content.catalogue.find(id);
        const Operation::Size& at = operation_of(stage).sizes.mostly_at;
        const Measurement* found =
            app.content.recordings.at(0).find(id, default_knobs(stage), "f32", at.rows, at.cols);
        return found ? percent(found->yardstick.ratio.median) : "not recorded";
    };
    EXPECT_EQ("Recorded on " + app.content.recordings.at(0).card + ": " +
                  share("transpose/20_tiled") + " of copy speed before, " +
                  share("transpose/30_padded") + " now.",
              recorded_gain(app));
    choose_stage(app, "transpose/00_copy");
    EXPECT_EQ("", recorded_gain(app)) << "nothing comes before it";
    choose_stage(app, "pitfalls/106_missing_barrier");
    EXPECT_EQ("", recorded_gain(app)) << "nobody recorded a fault";
}

// By the window's own buttons, up to the machine's word.
TEST_F(PathWalkTest, IKnowThisIsAnsweredInTheWindow) {
    app.learner.predicts_first = true;
    choose_stage(app, "transpose/10_naive");
    choose_shape(app, 128, 128);
    frames.answer();
    frames.frame(3);
    ASSERT_TRUE(frames.click("path:claim"));
    frames.frame(2);
    ASSERT_TRUE(frames.click("predict:32"));
    frames.answer();
    frames.frame(2);
    EXPECT_TRUE(is_tested_out(app, "transpose/10_naive"));
    EXPECT_TRUE(frames.says("Known"));
}

TEST_F(PathWalkTest, TheListShowsTheCoreAndFoldsOutTheRest) {
    choose_mode(app, kWorkbench);
    choose_stage(app, "transpose/30_padded");
    frames.frame(3);
    auto listed = [&](const std::string& stage) {
        for (const WidgetRecord& each : audit().widgets)
            if (each.id == "stage:" + stage) return true;
        return false;
    };
    EXPECT_TRUE(listed("pitfalls/106_missing_barrier"));
    EXPECT_FALSE(listed("transpose/32_swizzled"));
    app.tools->walk.further_open = true;
    frames.frame(3);
    EXPECT_TRUE(listed("transpose/32_swizzled"));
}

}  // namespace
}  // namespace lanewise::ui
