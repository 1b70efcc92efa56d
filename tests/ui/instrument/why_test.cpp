// Why the launch takes as long as it does: asked for once where it is in sight, drawn as cards and as
// the hits of each line, with the same time as what is tried; and what stands there where it is missing.
#include "ui/instrument/why.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../frames.h"
#include "lab/analysis/issues.h"
#include "ui/desk/fixes.h"
#include "ui/desk/tools.h"
#include "ui/instrument/panes.h"
#include "ui/path/predict_first.h"

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
}

// Where there is no room for both, a press on the columns' head changes costs for hits, and back. The
// heads "in L1" and "in L2" are those of the narrowest margin.
TEST_F(WhyView, ANarrowPaneOfTheCodeShowsCostsOrHits) {
    choose_view(app, "code");
    app.saved.panes.setting = false;
    frames.answer();
    CauseTable full = *launch_causes(app);  // "100 %" is the widest that there is to write
    for (LineHits& line : full.lines) line.l1_hit = line.l2_hit = 1, line.l2_sectors = line.l1_sectors = 64;
    ASSERT_FALSE(full.lines.empty());
    app.tools->on_demand.why->table = std::make_shared<const CauseTable>(full);
    auto has_head = [](const char* one, const char* other) {
        return std::any_of(audit().texts.begin(), audit().texts.end(), [&](const TextRecord& text) {
            return text.text == one || text.text == other;
        });
    };
    auto costs = [&] { return has_head("cost / ideal", "wavefronts"); };
    auto hits = [&] { return has_head("in L1", "L1 hits") && has_head("in L2", "L2 hits"); };
    auto press = [&] {
        const bool is_there = frames.click("columns:hits");
        send_pointer({1, 1});  // no tooltip
        frames.frame(2);
        for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
        return is_there;
    };
    for (float scale : {1.f, 1.5f, 2.f})
        for (int width : {560, 760, 900}) {
            SCOPED_TRACE(std::to_string(width) + " at " + std::to_string(scale));
            set_scale(scale);
            frames.resize(static_cast<int>(static_cast<float>(width) * scale),
                          static_cast<int>(800 * scale));
            frames.frame(3);
            EXPECT_TRUE(costs());
            EXPECT_FALSE(hits());
            ASSERT_TRUE(press());
            EXPECT_TRUE(app.saved.panes.code_hits);
            EXPECT_TRUE(hits());
            EXPECT_FALSE(costs());
            ASSERT_TRUE(press());
            EXPECT_FALSE(app.saved.panes.code_hits);
        }
    set_scale(1);
    frames.resize(1280, 800);  // room for both
    frames.frame(3);
    EXPECT_TRUE(costs() && hits());
    EXPECT_FALSE(frames.click("columns:hits"));
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
    WhyTool& tool = *app.tools->on_demand.why;
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
