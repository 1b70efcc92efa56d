// Why the launch takes as long as it does: asked for once where it is in sight, drawn as cards and as
// the hits of each line, with the same time as what is tried; and what stands there where it is missing.
#include "ui/desk/why.h"

#include <gtest/gtest.h>

#include "../frames.h"
#include "lab/analysis/issues.h"
#include "ui/desk/fixes.h"
#include "ui/desk/panes.h"
#include "ui/desk/predict_first.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {
namespace {

class WhyView : public testing::Test {
  protected:
    void SetUp() override {
        choose_mode(app, "workbench");
        choose_shape(app, 256, 256);
        choose_stage(app, "30_padded");
        choose_knob(app, "PAD", 0);
        choose_view(app, "access");
        frames.answer();
    }
    int asked() { return frames.engine.asked["causes"]; }
    void look_at_issues() {
        choose_view(app, "issues");
        frames.answer();
        frames.frame(3);
    }
    Frames frames{1400, 2600};
    App& app = frames.app;
};

TEST_F(WhyView, IsAskedForWhereItIsInSight) {
    EXPECT_EQ(0, asked());
    EXPECT_FALSE(launch_causes(app));
    look_at_issues();
    EXPECT_EQ(1, asked());
    ASSERT_TRUE(launch_causes(app));
    choose_block(app, 3);  // the same launch
    frames.answer();
    EXPECT_EQ(1, asked());
    EXPECT_TRUE(launch_causes(app));
    choose_knob(app, "PAD", 1);
    EXPECT_FALSE(launch_causes(app));
    frames.answer();
    EXPECT_EQ(2, asked());
    EXPECT_TRUE(launch_causes(app));
}

TEST_F(WhyView, APaneThatShowsIssuesAsksToo) {
    open_side(app, "issues");
    frames.answer();
    EXPECT_EQ(1, asked());
}

// One launch has one time: on the cards, and above what was tried.
TEST_F(WhyView, TheCardsHaveTheTimeOfWhatIsTried) {
    look_at_issues();
    const CauseTable* table = launch_causes(app);
    ASSERT_TRUE(table && table->holds);
    const IssuesFigureInput input = issues_input(app, 600);
    EXPECT_EQ(table->time_us, input.time_us);
    ASSERT_FALSE(input.rows.empty());
    EXPECT_TRUE(frames.says("32-way bank conflict"));
    EXPECT_TRUE(frames.says("Limited by " + table->limited_by));
    EXPECT_TRUE(frames.says("Without all of them at once"));
    EXPECT_NE(app.of_launch()->prediction.time_us, table->time_us);  // that is the other model's
    press_try_fixes(app);
    frames.answer();
    frames.answer();
    ASSERT_TRUE(tried_fixes(app));
    EXPECT_EQ(table->time_us, tried_fixes(app)->before_us);
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

TEST_F(WhyView, TheCodeHasTheHitsOfItsLines) {
    frames.resize(1700, 1000);
    choose_view(app, "code");
    frames.answer();
    frames.frame(3);
    EXPECT_EQ(1, asked());
    EXPECT_TRUE(frames.says("L1 hits"));
    EXPECT_TRUE(frames.says("L2 hits"));
    const std::vector<LineHits>& lines = launch_causes(app)->lines;
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(&lines[0], line_hits(app, lines[0].line));
    EXPECT_EQ(nullptr, line_hits(app, 1));
    double all = 0;
    for (const LineShare& line : launch_causes(app)->time_by_line) all += line_share(app, line.line);
    EXPECT_NEAR(1, all, 0.01);  // parameters are read at no line
    EXPECT_EQ(0, line_share(app, 1));
    // With a 32-way conflict the store that waits for its column has a share to be seen.
    EXPECT_GT(line_share(app, lines[0].line), 0.1);
    EXPECT_TRUE(frames.says("% time"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    frames.resize(900, 800);  // no room for them
    frames.frame(3);
    EXPECT_FALSE(frames.says("L1 hits"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
}

TEST_F(WhyView, NothingIsAskedBeforeTheAnswer) {
    app.learner.predicts_first = true;
    ASSERT_TRUE(answer_is_hidden(app));
    look_at_issues();
    EXPECT_EQ(0, asked());
    show_answer(app);
    frames.answer();
    EXPECT_EQ(1, asked());
}

// An engine of before: its own issues stand there, and whose they are.
TEST_F(WhyView, AnEngineThatDoesNotKnowItHasTheOtherModel) {
    look_at_issues();
    fail_causes(app, "There is no causes here.");
    WhyTool& tool = *app.tools->why;
    tool.table.reset();
    frames.frame(3);
    EXPECT_EQ(app.of_launch()->prediction.time_us, issues_input(app, 600).time_us);
    EXPECT_TRUE(frames.says("This is the bandwidth model."));
    CauseTable table;
    table.is_calibrated = false;
    table.sentence = "No card has measured the operations of this one.";
    tool.failure.clear();
    take_causes(app, table);
    frames.frame(3);
    EXPECT_TRUE(frames.says("No card has measured the operations of this one."));
    EXPECT_EQ(app.of_launch()->prediction.time_us, issues_input(app, 600).time_us);
    table.is_calibrated = true;
    table.sentence = "The model of time does not know wgmma.";
    take_causes(app, table);
    frames.frame(3);
    EXPECT_TRUE(frames.says("The model of time does not know wgmma."));
    EXPECT_EQ(0, issues_input(app, 600).time_us);
}

TEST_F(WhyView, WhatWasStoppedIsAskedForByAPress) {
    frames.engine.unanswered.insert("causes");
    look_at_issues();
    EXPECT_EQ(1, asked());
    EXPECT_TRUE(was_stopped(app));
    frames.engine.unanswered.erase("causes");
    ASSERT_TRUE(frames.click("why:again"));
    frames.answer();
    EXPECT_EQ(2, asked());
    EXPECT_TRUE(launch_causes(app));
}

// Another picture of the same launch stops what is under way; it is asked for once more.
TEST_F(WhyView, IsAskedForAgainBehindAPicture) {
    choose_view(app, "issues");
    ASSERT_TRUE(wants_causes(app));
    EXPECT_FALSE(causes_due(app));
    renew_causes(app);
    EXPECT_TRUE(causes_due(app));
}

}  // namespace
}  // namespace lanewise::ui
